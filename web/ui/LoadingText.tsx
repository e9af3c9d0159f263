import type { ReactNode } from 'react'
import { useLang } from '#web/i18n.ts'

const useLoadingText = () => (useLang() === 'ja' ? '読み込み中…' : 'Loading...')

/**
 * Renders the text “Loading...”. The text is invisible for the first 200 ms, so that quick responses do not
 * flicker.
 */
export const LoadingText = () => (
  <p className="loading" role="status">
    {useLoadingText()}
  </p>
)

/**
 * Renders the text “Loading...” inside a skeleton, that is, the grey shapes in place of content that is
 * loading.
 */
export const LoadingTextInSkeleton = () => (
  <span className="loading-word" role="status">
    {useLoadingText()}
  </span>
)

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

const Lines = () => (
  <span className="stack">
    <span className="skeleton-part" />
    <span className="skeleton-part" />
  </span>
)

/** Renders grey shapes in place of posts that are loading. `above` is content that is loaded already. */
export const PostListSkeleton = ({ count, above }: { count: number; above?: ReactNode }) => (
  <div className="cards flush skeleton">
    {above}
    {range(count).map((at) => (
      <div className="card" key={at}>
        <div className="cluster">
          <span className="avatar skeleton-part" />
          <Lines />
          {at === 0 && <LoadingTextInSkeleton />}
        </div>
        <Lines />
      </div>
    ))}
  </div>
)

/** Renders grey shapes in place of a list of people or conversations that is loading. */
export const RowListSkeleton = ({ count }: { count: number }) => (
  <div className="cards flush skeleton">
    {range(count).map((at) => (
      <div className="row" key={at}>
        <span className="avatar skeleton-part" />
        <Lines />
        {at === 0 && <LoadingTextInSkeleton />}
      </div>
    ))}
  </div>
)
