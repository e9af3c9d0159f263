import { useLang } from '#web/i18n.ts'

const MAX_SHOWN = 99
/** “7”, or “99+” above 99. */
export const badgeText = (count: number) => (count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count))

/** Nothing for 0. */
export function UnreadBadge({ count }: { count: number }) {
  const lang = useLang()
  if (!count) return null
  const shown = badgeText(count)
  return (
    <span className="badge">
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{lang === 'ja' ? `未読${shown}件` : ` ${shown} unread`}</span>
    </span>
  )
}
