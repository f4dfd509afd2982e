import { useSandboxAgent } from "@sandbox-agent-ts/react";
import { memo, useEffect, useState } from "react";
import { Icon } from "../controls/icon.tsx";
import { messageOf } from "../controls/use-action.ts";
import { imageUrl, type PictureFile } from "./image-urls.ts";
import { useSessionId } from "./session-context.ts";
import "./sandbox-image.css";

const mimes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  avif: "image/avif",
};

interface SandboxImageProps {
  readonly path: string;
  readonly mime?: string | undefined;
  /** When it was changed, where that can be. */
  readonly version?: string | undefined;
}

/** A picture in the sandbox. Shown as an image and nothing else, so that what is in it cannot run. */
export const SandboxImage = memo(function SandboxImage({ path, mime, version }: SandboxImageProps) {
  const { url, error } = useImageUrl({ path, mime: imageMime(path, mime), version });
  const name = path.split("/").at(-1) ?? path;
  return (
    <figure className="sandbox-image">
      <div className="sandbox-image-frame">
        {url && <img src={url} alt={name} />}
        {error && (
          <p>
            <Icon name="image" /> {error}
          </p>
        )}
      </div>
      <figcaption className="truncate" title={path}>
        {name}
      </figcaption>
    </figure>
  );
});

/** Only types of pictures: a page that calls itself one is not opened as a page. */
function imageMime(path: string, mime: string | undefined): string {
  if (mime && Object.values(mimes).includes(mime)) return mime;
  return mimes[path.split(".").at(-1)?.toLowerCase() ?? ""] ?? "image/png";
}

function useImageUrl({ path, mime, version }: Omit<PictureFile, "sessionId">): { url?: string; error?: string } {
  const client = useSandboxAgent();
  const sessionId = useSessionId();
  const [state, setState] = useState<{ url?: string; error?: string }>({});
  useEffect(() => {
    let isCurrent = true;
    imageUrl(client, { path, sessionId, mime, version }).then(
      (url) => isCurrent && setState({ url }),
      (error: unknown) => isCurrent && setState({ error: messageOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, sessionId, path, mime, version]);
  return state;
}
