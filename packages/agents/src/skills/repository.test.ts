import { expect, test } from "vitest";
import { repositoryOf } from "./repository.ts";

const protocols = ["https", "ssh"];

test.each([
  ["github", "acme/skills", "https://github.com/acme/skills.git", "skills"],
  ["github", "https://github.com/acme/skills", "https://github.com/acme/skills", "skills"],
  ["git", "https://example.com/acme/skills.git", "https://example.com/acme/skills.git", "skills"],
  ["git", "git@example.com:acme/skills.git", "git@example.com:acme/skills.git", "skills"],
  ["git", "ssh://git@example.com/acme/skills.git", "ssh://git@example.com/acme/skills.git", "skills"],
] as const)("%s %s is fetched", (type, source, url, name) => {
  expect(repositoryOf({ type, source }, protocols)).toMatchObject({ url, name, ref: "HEAD" });
});

test("a password in an address is not shown", () => {
  const { shown } = repositoryOf(
    { type: "git", source: "https://me:secret@example.com/skills.git?t=secret" },
    protocols,
  );
  expect(shown).toBe("https://example.com/skills.git");
});

test.each([
  "file:///etc/skills.git",
  "http://example.com/skills.git",
  "git://example.com/skills.git",
  "ext::sh -c touch% /tmp/x",
  "--upload-pack=touch x",
  "ssh://-oProxyCommand=touch",
  "-oProxyCommand=x@host:path",
  "/srv/skills.git",
  "../skills",
  "acme/skills",
])("%s is refused", (source) => {
  expect(() => repositoryOf({ type: "git", source }, protocols)).toThrow(
    "Name the repository as a URL of https or ssh",
  );
});

test.each(["-x", "--upload-pack=x", "a..b", "main:refs/heads/x", "+main", "a b", "main^", "@{-1}"])(
  "the ref %s is refused",
  (ref) => {
    const source = { type: "github", source: "acme/skills", ref } as const;
    expect(() => repositoryOf(source, protocols)).toThrow("Correct the `ref`");
  },
);

test.each(["main", "v1.2.3", "feature/light", "0123456789abcdef0123456789abcdef01234567"])(
  "the ref %s is taken",
  (ref) => {
    expect(repositoryOf({ type: "github", source: "acme/skills", ref }, protocols).ref).toBe(ref);
  },
);

test("a password is for git's settings, never for its arguments", () => {
  const { url, credentials } = repositoryOf({ type: "git", source: "https://me:s%40cret@example.com:8443/a.git" }, [
    "https",
  ]);
  expect(url).toBe("https://example.com:8443/a.git");
  const basic = Buffer.from("me:s@cret").toString("base64");
  expect(credentials).toEqual({ "http.https://example.com:8443/.extraHeader": `Authorization: Basic ${basic}` });
});
