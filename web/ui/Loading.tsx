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
