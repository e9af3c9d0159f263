import { splitTextIntoLinksMentionsAndTags } from '#features/people/text-parts-contract.ts'
import { MentionLink } from '#features/people/web/MentionLink.tsx'
import { UrlOrEmailLink } from '#web/links.tsx'
import { TagLink } from '#web/TagLink.tsx'

/**
 * Renders a text with its links. `TextWithLinks` loads this component for a text that may contain a link.
 */
export default function LinkedText({ text }: { text: string }) {
  return splitTextIntoLinksMentionsAndTags(text).map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    if (part.kind === 'address') return <UrlOrEmailLink key={index} {...part} />
    if (part.kind === 'mention') return <MentionLink key={index} {...part} />
    if (part.kind === 'tag') return <TagLink key={index} {...part} />
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
    return part.text
  })
}
