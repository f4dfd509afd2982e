/** Opens the web inspector, let in: a fragment is never sent to a server, and the page takes it out of the address. */
export function inspectorLink(url: string, token: string | null | undefined): string {
  return token ? `${url}/ui/#token=${encodeURIComponent(token)}` : `${url}/ui/`;
}
