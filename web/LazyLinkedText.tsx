import { type ComponentType, Suspense } from 'react'
import { lazyWithRetry } from './lazyWithRetry.ts'

/** If the download fails, the text stays without links: the reader needs the text more than its links. */
const LinkedText = lazyWithRetry<ComponentType<{ text: string; isInLink?: boolean }>>(() =>
  import('./LinkedText.tsx').catch(() => ({ default: ({ text }) => text })),
)

/** Matches every text that may contain a URL, an email address, a mention or a tag. */
const maybeLink = /[@＠#＃]|:\/\/|www\./i

/**
 * A text of a post, reply or message; without links while the code that finds them is loading. `isInLink`:
 * the whole text is part of a link, so its mentions look as usual but nothing in it is a link of its own.
 */
export const LazyLinkedText = ({ children: text, ...rest }: { children: string; isInLink?: boolean }) =>
  maybeLink.test(text) ? (
    <Suspense fallback={text}>
      <LinkedText text={text} {...rest} />
    </Suspense>
  ) : (
    text
  )
