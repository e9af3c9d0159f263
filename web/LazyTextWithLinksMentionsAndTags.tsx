import { type ComponentType, Suspense } from 'react'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'

/**
 * Loads the component that finds and renders the links in a text. If the download fails, the text stays
 * without links, because the reader needs the text more than its links.
 */
const TextWithLinksMentionsAndTags = lazyWithRetry<ComponentType<{ text: string; isInLink?: boolean }>>(() =>
  import('#web/TextWithLinksMentionsAndTags.tsx').catch(() => ({ default: ({ text }) => text })),
)

/** Matches every text that may contain a URL, an email address, a mention or a tag. */
const maybeLink = /[@＠#＃]|:\/\/|www\./i

/**
 * Renders the text of a post, reply or message, in which URLs, email addresses, mentions and tags are links.
 * While the code that finds them is loading, the text has no links. `isInLink` means that the whole text is
 * part of a link: its mentions then look as usual, but no part of the text is a link of its own.
 */
export const LazyTextWithLinksMentionsAndTags = ({
  children: text,
  ...rest
}: {
  children: string
  isInLink?: boolean
}) =>
  maybeLink.test(text) ? (
    <Suspense fallback={text}>
      <TextWithLinksMentionsAndTags text={text} {...rest} />
    </Suspense>
  ) : (
    text
  )
