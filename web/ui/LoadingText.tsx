import type { ReactNode } from 'react'
import { useLang } from '#web/i18n.ts'

const useLoadingText = () => (useLang() === 'ja' ? '読み込み中…' : 'Loading...')

/** Invisible for the first 200 ms, so that quick responses do not flicker. */
export const LoadingText = () => (
  <p className="loading" role="status">
    {useLoadingText()}
  </p>
)

/** The grey shapes in place of content that is loading. */
export const LoadingWord = () => (
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

/** `above` is content that is loaded already. */
export const PostSkeletons = ({ count, above }: { count: number; above?: ReactNode }) => (
  <div className="cards flush skeleton">
    {above}
    {range(count).map((at) => (
      <div className="card" key={at}>
        <div className="cluster">
          <span className="avatar skeleton-part" />
          <Lines />
          {at === 0 && <LoadingWord />}
        </div>
        <Lines />
      </div>
    ))}
  </div>
)

export const RowSkeletons = ({ count }: { count: number }) => (
  <div className="cards flush skeleton">
    {range(count).map((at) => (
      <div className="row" key={at}>
        <span className="avatar skeleton-part" />
        <Lines />
        {at === 0 && <LoadingWord />}
      </div>
    ))}
  </div>
)
