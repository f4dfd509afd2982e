import { expect, test } from "vitest";
import { Directories } from "./directories.ts";
import type { HttpClient } from "./http-client.ts";

function makeDirectories() {
  const disposed: string[] = [];
  let finish = () => {};
  const request = (_method: string, _path: string, { directory }: { directory: string }) => {
    disposed.push(directory);
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  return { disposed, finish: () => finish(), directories: new Directories({ request } as unknown as HttpClient) };
}

test("the last one who leaves takes the instance along", async () => {
  const { directories, disposed, finish } = makeDirectories();
  await directories.enter("/a");
  await directories.enter("/a");
  await directories.enter("/b");
  await directories.leave("/a");
  expect(disposed).toEqual([]);
  const leaving = directories.leave("/a");
  expect(disposed).toEqual(["/a"]);
  finish();
  await leaving;
});

test("who enters while the instance goes waits until it is gone", async () => {
  const { directories, finish } = makeDirectories();
  const order: string[] = [];
  await directories.enter("/a");
  const leaving = directories.leave("/a").then(() => order.push("left"));
  const entering = directories.enter("/a").then(() => order.push("entered"));
  await directories.enter("/b");
  expect(order).toEqual([]);
  finish();
  await Promise.all([leaving, entering]);
  expect(order.sort()).toEqual(["entered", "left"]);
});
