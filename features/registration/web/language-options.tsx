import { isKnownTimeZone } from '#core/community-settings-contract.ts'
import type { Language } from '#core/contract.ts'

/** The names of the languages of the interface, each in its own language. */
const languageNames = { en: 'English', ja: '日本語' } satisfies Record<Language, string>

/**
 * Renders the options of a select for the language of the community. The empty value stands for the
 * language of the visitor's browser.
 */
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

/**
 * Returns the time zone of this device; null if the browser does not name one, or names one that the server
 * would not accept.
 */
export function readDeviceTimeZone() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone && isKnownTimeZone(timeZone) ? timeZone : null
}

/**
 * Renders the options of a select for a time zone. Adds the zone `chosen` if the browser does not list it.
 */
export const TimeZoneSelectOptions = ({ chosen }: { chosen: string | null }) =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(chosen ? [chosen] : [])])].map((zone) => (
    <option key={zone} value={zone}>
      {zone.replaceAll('_', ' ')}
    </option>
  ))
