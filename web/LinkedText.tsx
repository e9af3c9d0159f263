import { Fragment, useMemo } from 'react'
import { splitText, type TextPart } from '#features/people/text-parts-contract.ts'
import { MentionLink } from '#features/people/web/MentionLink.tsx'
import { Link } from '#web/ui/Link.tsx'
import { hasPage } from '#web/views.tsx'
import './ui/user-text.css'
import { type Block, splitBlocks, splitBold } from '#core/text/format.ts'
import { AddressLink } from './links.tsx'

interface Props {
  text: string
  /** The text is part of a larger link: mentions look as usual, but nothing is a link of its own. */
  isInLink?: boolean | undefined
  /** Only bold words are formatted, not lists and quotes. */
  isInline?: boolean | undefined
}

// biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text never change their order

/** `LazyLinkedText` loads this for a text that may contain links or formatting. */
export default function LinkedText({ text, isInLink, isInline = isInLink }: Props) {
  const blocks = useMemo(
    (): Block[] => (isInline ? [{ kind: 'text', lines: [text] }] : splitBlocks(text)),
    [text, isInline],
  )
  const known = useMemo(() => namesIn(text), [text])
  return blocks.map(({ kind, lines }, index) => {
    const words = (written: string) => <Words text={written} known={known} isInLink={isInLink} />
    if (kind === 'list')
      return (
        <ul key={index} className="text-list">
          {lines.map((line, at) => (
            <li key={at}>{words(line)}</li>
          ))}
        </ul>
      )
    const written = words(lines.join('\n'))
    if (kind === 'quote')
      return (
        <blockquote key={index} className="text-quote">
          {written}
        </blockquote>
      )
    return <Fragment key={index}>{written}</Fragment>
  })
}

interface WordsProps extends Props {
  /** See `namesIn`. */
  known: ReadonlySet<string>
}

/** The mentions and tags of the whole text: its parts must not show more than the limits for one text. */
const namesIn = (text: string) =>
  new Set(
    splitText(text)
      .filter(({ kind }) => kind === 'mention' || kind === 'tag')
      .map((part) => part.text),
  )

function Words({ text, ...rest }: WordsProps) {
  const parts = useMemo(() => splitBold(text), [text])
  return parts.map((part, index) => {
    const linked = <Linked key={index} text={part} {...rest} />
    return index % 2 ? <strong key={index}>{linked}</strong> : linked
  })
}

function Linked({ text, known, isInLink }: WordsProps) {
  const parts = useMemo(() => splitText(text), [text])
  return parts.map((part, index) => {
    const isName = part.kind === 'mention' || part.kind === 'tag'
    if (isName && !known.has(part.text)) return part.text
    if (part.kind === 'mention') return <MentionLink key={index} {...part} isInLink={isInLink} />
    if (isInLink) return part.text
    if (part.kind === 'address') return <AddressLink key={index} {...part} />
    if (part.kind === 'tag') return <TagLink key={index} {...part} />
    return part.text
  })
}
// biome-ignore-end lint/suspicious/noArrayIndexKey: as above

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
