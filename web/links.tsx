import type { ReactNode } from 'react'
import { splitTextIntoLinksMentionsAndTags, type TextPart } from '#features/people/text-parts-contract.ts'

/** Turns the addresses in a text into links. For posts, replies and messages, use `TextWithLinks`. */
export const linkifyUrlsAndEmails = (text: string): ReactNode[] =>
  splitTextIntoLinksMentionsAndTags(text).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    part.kind === 'address' ? <UrlOrEmailLink key={index} {...part} /> : part.text,
  )

export const UrlOrEmailLink = ({ text, href }: Omit<Extract<TextPart, { kind: 'address' }>, 'kind'>) => (
  <a className="link" href={href} target="_blank" rel="noopener nofollow ugc">
    {text}
  </a>
)
