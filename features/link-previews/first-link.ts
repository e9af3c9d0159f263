import { splitText } from '#features/people/text-parts-contract.ts'
import { parseVisitableUrl } from './fetch-page.ts'

/**
 * Returns the first link of a text; null if there is none, if the server may not visit it, or if it leads to
 * the community itself, whose pages need a log-in.
 */
export function findFirstLink(text: string, ownOrigin: string): string | null {
  if (!/:\/\/|www\./i.test(text)) return null
  const link = splitText(text).find((part) => part.kind === 'address' && /^https?:/i.test(part.href))
  const url = link?.kind === 'address' ? parseVisitableUrl(link.href) : null
  return url && url.origin !== ownOrigin ? url.href : null
}
