import { useLang } from '#web/text.ts'

/** Invisible for the first 200 ms, so that what is quick does not flicker. */
export const Loading = () => (
  <p className="loading" role="status">
    {useLang() === 'ja' ? '読み込み中…' : 'Loading...'}
  </p>
)
