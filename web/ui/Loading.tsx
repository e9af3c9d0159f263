import type { ReactNode } from 'react'
import { useLang } from '#web/i18n.ts'

const useWord = () => (useLang() === 'ja' ? '読み込み中…' : 'Loading...')

/** Invisible for the first 200 ms, so that quick answers do not flicker. */
export const Loading = () => (
  <p className="loading" role="status">
    {useWord()}
  </p>
)

/** The same text inside a skeleton. */
export const LoadingWord = () => (
  <span className="loading-word" role="status">
    {useWord()}
  </span>
)

const many = (count: number) => Array.from({ length: count }, (_, at) => at)

const Lines = () => (
  <span className="stack">
    <span className="skeleton-part" />
    <span className="skeleton-part" />
  </span>
)

/** Grey shapes in place of posts that are loading. `above` is content that is there already. */
export const PostSkeleton = ({ count, above }: { count: number; above?: ReactNode }) => (
  <div className="boards flush skeleton">
    {above}
    {many(count).map((at) => (
      <div className="board" key={at}>
        <div className="line-up">
          <span className="avatar skeleton-part" />
          <Lines />
          {at === 0 && <LoadingWord />}
        </div>
        <Lines />
      </div>
    ))}
  </div>
)

/** The same for a list of people or conversations. */
export const RowSkeleton = ({ count }: { count: number }) => (
  <div className="boards flush skeleton">
    {many(count).map((at) => (
      <div className="row" key={at}>
        <span className="avatar skeleton-part" />
        <Lines />
        {at === 0 && <LoadingWord />}
      </div>
    ))}
  </div>
)
