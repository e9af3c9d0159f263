import { useLang } from '#web/i18n.ts'

const MAX_SHOWN = 99
/** Returns the number in a badge as text: “7”, or “99+” if it is above 99. */
export const formatBadgeCount = (count: number) => (count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count))

/** Renders a badge with the number of unread items, such as messages. Renders nothing for 0. */
export function UnreadBadge({ count }: { count: number }) {
  const lang = useLang()
  if (!count) return null
  const shown = formatBadgeCount(count)
  return (
    <span className="badge">
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{lang === 'ja' ? `未読${shown}件` : ` ${shown} unread`}</span>
    </span>
  )
}
