/** An image that came as data, to be put where the item says it is. */
export interface ImageFile {
  readonly path: string;
  readonly base64: string;
}

/** `name` may come from the agent: whatever would lead out of the directory is left out of it. */
export function imageFile(directory: string, name: string, base64: string, mime = "image/png"): ImageFile {
  const extension = mime.split("/")[1]?.replaceAll(/[^a-z0-9]/g, "") || "png";
  return { path: `${directory}/${name.replaceAll(/[^A-Za-z0-9_-]/g, "")}.${extension}`, base64 };
}
