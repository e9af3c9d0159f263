import { isKnownTimeZone } from '#core/community-settings-contract.ts'
import type { Language } from '#core/contract.ts'

/** The names of the languages, each in its own language. */
const languageNames = { en: 'English', ja: '日本語' } satisfies Record<Language, string>

/** The options of a select for the language of the community. The empty value is the browser's language. */
export const LanguageSelectOptions = ({ byBrowser }: { byBrowser: string }) => (
  <>
    <option value="">{byBrowser}</option>
    {Object.entries(languageNames).map(([language, name]) => (
      <option key={language} value={language} lang={language}>
        {name}
      </option>
    ))}
  </>
)

/** Returns the time zone of this device. Null if the browser does not know it, or names an unknown one. */
export function readDeviceTimeZone() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone && isKnownTimeZone(timeZone) ? timeZone : null
}

/** The options of a select for a time zone. `chosen` is added if the browser does not list it. */
export const TimeZoneSelectOptions = ({ chosen }: { chosen: string | null }) =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(chosen ? [chosen] : [])])].map((zone) => (
    <option key={zone} value={zone}>
      {zone.replaceAll('_', ' ')}
    </option>
  ))
