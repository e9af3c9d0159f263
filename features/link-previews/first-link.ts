import { splitText } from '#features/people/text-parts-contract.ts'
import { parseAllowedUrl } from './fetch-page.ts'

/**
 * Null if the server may not visit the link, or if it leads to the community itself, which needs a log-in.
 */
export function findFirstLink(text: string, ownOrigin: string): string | null {
  if (!/:\/\/|www\./i.test(text)) return null
  const link = splitText(text).find((part) => part.kind === 'address' && /^https?:/i.test(part.href))
  const url = link?.kind === 'address' ? parseAllowedUrl(link.href) : null
  return url && url.origin !== ownOrigin ? url.href : null
}
