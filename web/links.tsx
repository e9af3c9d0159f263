import type { ReactNode } from 'react'
import { splitTextIntoLinksMentionsAndTags, type TextPart } from '#features/people/text-parts-contract.ts'

/**
 * Returns a text as React nodes, in which URLs and email addresses are links. For posts, replies and
 * messages, use `LazyTextWithLinksMentionsAndTags`, which also knows mentions and tags.
 */
export const linkifyUrlsAndEmails = (text: string): ReactNode[] =>
  splitTextIntoLinksMentionsAndTags(text).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    part.kind === 'address' ? <UrlOrEmailLink key={index} {...part} /> : part.text,
  )

export const UrlOrEmailLink = ({
  text,
  href,
  label = text,
}: Omit<Extract<TextPart, { kind: 'address' }>, 'kind'>) => (
  <a className="link" href={href} target="_blank" rel="noopener nofollow ugc">
    {label}
  </a>
)
