import { isKnownTimeZone } from '#core/community/settings-contract.ts'
import type { Language } from '#core/contract.ts'
import * as dates from '#web/dates.ts'
import { useLang } from '#web/i18n.ts'

const languageNames = { en: 'English', ja: '日本語' } satisfies Record<Language, string>

/** The empty value stands for the language of the visitor's browser. */
export const LanguageOptions = ({ byBrowser }: { byBrowser: string }) => (
  <>
    <option value="">{byBrowser}</option>
    {Object.entries(languageNames).map(([language, name]) => (
      <option key={language} value={language} lang={language}>
        {name}
      </option>
    ))}
  </>
)

/** Null if the browser names none, or one that the server would not accept. */
export function deviceTimeZone() {
  const timeZone = dates.timeZone()
  return timeZone && isKnownTimeZone(timeZone) ? timeZone : null
}

/** The likely ones first, in words. Adds `chosen` if the browser does not list it. */
export function TimeZoneOptions({ chosen }: { chosen: string | null }) {
  const lang = useLang()
  const likely = [...new Set([chosen, deviceTimeZone(), 'Asia/Tokyo', 'UTC'])].filter((zone) => zone !== null)
  const rest = Intl.supportedValuesOf('timeZone').filter((zone) => !likely.includes(zone))
  return (
    <>
      {likely.map((zone) => (
        <option key={zone} value={zone}>
          {dates.zoneName(zone, lang)} ({toWords(zone)})
        </option>
      ))}
      {rest.map((zone) => (
        <option key={zone} value={zone}>
          {toWords(zone)}
        </option>
      ))}
    </>
  )
}
const toWords = (zone: string) => zone.replaceAll('_', ' ')
