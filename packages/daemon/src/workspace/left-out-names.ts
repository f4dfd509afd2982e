/** What can be made again from what is kept. */
const dependencyFolders: ReadonlySet<string> = new Set(["node_modules", ".venv", "__pycache__"]);

export function isDependencyFolder(name: string): boolean {
  return dependencyFolders.has(name);
}

const secretNames: ReadonlySet<string> = new Set([
  ".env",
  ".envrc",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".htpasswd",
  ".pgpass",
  ".ssh",
  ".aws",
  ".gnupg",
]);
const secretPattern = /^(id_(rsa|dsa|ecdsa|ed25519)|\.env\..+|.+\.(pem|key|p12|pfx|jks|keystore|kdbx))$/i;
/** Templates that repositories have on purpose. */
const sample = /\.(example|sample|template|dist|defaults?)$/i;

/** Whether a name says that secrets are behind it. */
export function isSecretName(name: string): boolean {
  return (secretNames.has(name.toLowerCase()) || secretPattern.test(name)) && !sample.test(name);
}
