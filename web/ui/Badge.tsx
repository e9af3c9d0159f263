import { useLang } from '#web/i18n.ts'
import { shownCount } from '#web/unread.ts'

/** How many are unread; nothing where none is. */
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
