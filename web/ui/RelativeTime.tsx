import { dot } from '#core/text/dot.ts'
import { currentTime } from '#web/current-time.ts'
import * as dates from '#web/dates.ts'
import { useLang } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'

/** For times that may be years ago. */
export const ShortDate = ({ at }: { at: string }) => <time dateTime={at}>{dates.medium(at, useLang())}</time>

interface TimeProps {
  at: string
  /** Otherwise only in the tooltip. */
  showFullDate?: boolean | undefined
}

/** “4 minutes ago”, updated while it is on the screen. */
export function RelativeTime({ at, showFullDate }: TimeProps) {
  const lang = useLang()
  // Renders again only when these words change.
  const words = useStore(currentTime, (time) => dates.ago(at, Math.max(time, Date.parse(at)), lang))
  return (
    <time dateTime={at} title={dates.exact(at, lang)}>
      {words}
      {showFullDate && dot[lang] + dates.exact(at, lang)}
    </time>
  )
}
