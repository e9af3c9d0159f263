import { useLang } from '#web/i18n.ts'

const MOST_SHOWN = 99
/** “7”, and “99+” for everything above. */
export const shownCount = (count: number) => (count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count))

/** The number of unread messages. Draws nothing for 0. */
export function Badge({ count }: { count: number }) {
  const lang = useLang()
  if (!count) return null
  const shown = shownCount(count)
  return (
    <span className="badge">
      <span aria-hidden="true">{shown}</span>
      <span className="hide">{lang === 'ja' ? `未読${shown}件` : ` ${shown} unread`}</span>
    </span>
  )
}
