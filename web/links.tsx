import type { ReactNode } from 'react'
import { splitText, type TextPart } from '#features/people/text-parts-contract.ts'

/** For posts, replies and messages, `LazyLinkedText` also knows mentions and tags. */
export const linkify = (text: string): ReactNode[] =>
  splitText(text).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    part.kind === 'address' ? <AddressLink key={index} {...part} /> : part.text,
  )

export const AddressLink = ({
  text,
  href,
  label = text,
}: Omit<Extract<TextPart, { kind: 'address' }>, 'kind'>) => (
  <a className="link" href={href} target="_blank" rel="noopener nofollow ugc">
    {label}
  </a>
)
