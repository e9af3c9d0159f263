/**
 * Returns the name (maybe empty) and the address of `Name <address>` or of an address; null for other texts.
 */
export function parseSender(text: string): { name: string; address: string } | null {
  const [, named, bracketed] = /^(.*?)\s*<([^<>]*)>$/.exec(text) ?? []
  const address = bracketed ?? text
  if (!/^[^\s<>()[\]",:;@\\]+@[^\s<>()[\]",:;@\\]+$/.test(address)) return null
  if (/[\r\n]/.test(text)) return null
  // A name between quotation marks is meant without them.
  return { name: (named ?? '').trim().replace(/^"(.*)"$/, '$1'), address }
}
