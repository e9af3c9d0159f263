import { LanguageOptions, TimeZoneOptions } from '#features/registration/web/language-options.tsx'
import { languageText } from '#features/registration/web/settings-text.ts'
import { useText } from '#web/i18n.ts'
import type { AdminSettings } from '../contract.ts'
import { QuietHoursSetting } from './QuietHoursSetting.tsx'
import { SettingSelect } from './SettingSelect.tsx'
import type { SettingsSection } from './settings-section.ts'

export const languageSection: SettingsSection = {
  id: 'language',
  title: { en: 'Language and time', ja: '言語と時刻' },
  Content: LanguageSettings,
}

function LanguageSettings({ settings: { default_language, time_zone, quiet_hours } }: AdminSettings) {
  const t = useText(languageText)
  return (
    <>
      <SettingSelect
        name="default_language"
        saved={default_language}
        label={t.language}
        help={t.languageHelp}
      >
        <LanguageOptions byBrowser={t.byBrowser} />
      </SettingSelect>
      <SettingSelect name="time_zone" saved={time_zone ?? 'UTC'} label={t.timeZone} help={t.timeZoneHelp}>
        <TimeZoneOptions chosen={time_zone} />
      </SettingSelect>
      <QuietHoursSetting saved={quiet_hours} timeZone={time_zone ?? 'UTC'} />
    </>
  )
}
