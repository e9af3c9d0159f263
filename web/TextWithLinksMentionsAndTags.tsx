import { useMemo } from 'react'
import { splitTextIntoLinksMentionsAndTags } from '#features/people/text-parts-contract.ts'
import { MentionLink } from '#features/people/web/MentionLink.tsx'
import { UrlOrEmailLink } from '#web/links.tsx'
import { TagLink } from '#web/TagLink.tsx'

interface LinkedTextProps {
  text: string
  /**
   * Whether the text is part of a larger link. Mentions then look as usual, but no part of the text is a
   * link of its own.
   */
  isInLink?: boolean
}

/**
 * Renders a text in which URLs, email addresses, mentions and tags are links.
 * `LazyTextWithLinksMentionsAndTags` loads this component for a text that may contain one of them.
 */
export default function TextWithLinksMentionsAndTags({ text, isInLink }: LinkedTextProps) {
  const parts = useMemo(() => splitTextIntoLinksMentionsAndTags(text), [text])
  return parts.map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    if (part.kind === 'mention') return <MentionLink key={index} {...part} isInLink={isInLink} />
    if (isInLink) return part.text
    if (part.kind === 'address') return <UrlOrEmailLink key={index} {...part} />
    if (part.kind === 'tag') return <TagLink key={index} {...part} />
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
    return part.text
  })
}
