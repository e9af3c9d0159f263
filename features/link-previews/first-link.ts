import { splitTextIntoLinksMentionsAndTags } from '#features/people/text-parts-contract.ts'
import { parseUrlIfServerMayVisit } from './fetch-page.ts'

/**
 * Returns the URL of the first link of a text. Returns null if there is no link, if the server may not visit
 * the first one, or if it leads to the community itself, whose pages need a log-in.
 */
export function findFirstLinkUrlIfPreviewable(text: string, ownOrigin: string): string | null {
  if (!/:\/\/|www\./i.test(text)) return null
  const link = splitTextIntoLinksMentionsAndTags(text).find(
    (part) => part.kind === 'address' && /^https?:/i.test(part.href),
  )
  const url = link?.kind === 'address' ? parseUrlIfServerMayVisit(link.href) : null
  return url && url.origin !== ownOrigin ? url.href : null
}
