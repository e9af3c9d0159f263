import { useMemo } from 'react'
import { splitText, type TextPart } from '#features/people/text-parts-contract.ts'
import { MentionLink } from '#features/people/web/MentionLink.tsx'
import { Link } from '#web/ui/Link.tsx'
import { hasPage } from '#web/views.tsx'
import { AddressLink } from './links.tsx'

interface Props {
  text: string
  /** The text is part of a larger link: mentions look as usual, but nothing is a link of its own. */
  isInLink?: boolean
}

/** `LazyLinkedText` loads this for a text that may contain links. */
export default function LinkedText({ text, isInLink }: Props) {
  const parts = useMemo(() => splitText(text), [text])
  return parts.map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    if (part.kind === 'mention') return <MentionLink key={index} {...part} isInLink={isInLink} />
    if (isInLink) return part.text
    if (part.kind === 'address') return <AddressLink key={index} {...part} />
    if (part.kind === 'tag') return <TagLink key={index} {...part} />
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
    return part.text
  })
}

type TagLinkProps = Omit<Extract<TextPart, { kind: 'tag' }>, 'kind'>

const isLink = hasPage('/tags/any')

/** Plain text if no feature that runs has a page for tags. */
export const TagLink = ({ text, tag }: TagLinkProps) =>
  isLink ? (
    <Link className="link" href={`/tags/${encodeURIComponent(tag)}`}>
      {text}
    </Link>
  ) : (
    text
  )
