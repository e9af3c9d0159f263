import { type ComponentType, Suspense } from 'react'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'

/**
 * Loads the code that finds the links in a text. If the download fails, the text stays without links, because
 * the reader needs the text more than its links.
 */
const LinkedText = lazyWithRetry<ComponentType<{ text: string; isInLink?: boolean }>>(() =>
  import('#web/LinkedText.tsx').catch(() => ({ default: ({ text }) => text })),
)

/** Matches every text that may contain a link. */
const maybeLink = /[@＠#＃]|:\/\/|www\./i

/**
 * The text of a post, reply or message. Its addresses, the people whom it mentions and its tags are links.
 * Shows the text without links while the code of links is loading. With `isInLink`, the text is part of a link:
 * its mentions look like others, and nothing in it is a link.
 */
export const TextWithLinks = ({ children: text, ...rest }: { children: string; isInLink?: boolean }) =>
  maybeLink.test(text) ? (
    <Suspense fallback={text}>
      <LinkedText text={text} {...rest} />
    </Suspense>
  ) : (
    text
  )
