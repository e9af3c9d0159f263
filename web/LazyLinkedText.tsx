import { type ComponentType, Suspense } from 'react'
import { lazyWithRetry } from './lazyWithRetry.ts'

interface Options {
  /** The whole text is part of a link: mentions look as usual, but nothing in it is a link of its own. */
  isInLink?: boolean
  /** Only bold words are formatted, not lists and quotes. */
  isInline?: boolean
}

/** If the download fails, the text stays without links: the reader needs the text more than its links. */
const LinkedText = lazyWithRetry<ComponentType<{ text: string } & Options>>(() =>
  import('./LinkedText.tsx').catch(() => ({ default: ({ text }) => text })),
)

/** Matches every text that may contain a URL, an email address, a mention, a tag or formatting. */
const maybeMore = /[@＠#＃]|:\/\/|www\.|\*\*|^[->] /im

/** A text of a post, reply or message; as it was written while the code that finds links is loading. */
export const LazyLinkedText = ({ children: text, ...rest }: { children: string } & Options) =>
  maybeMore.test(text) ? (
    <Suspense fallback={text}>
      <LinkedText text={text} {...rest} />
    </Suspense>
  ) : (
    text
  )
