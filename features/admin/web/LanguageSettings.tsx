import { LanguageSelectOptions, TimeZoneSelectOptions } from '#features/registration/web/language-options.tsx'
import { communityLanguageAndTimeZoneText } from '#features/registration/web/settings-text.ts'
import { useText } from '#web/i18n.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunityQuietHoursSetting } from './CommunityQuietHoursSetting.tsx'
import { CommunitySettingSelect } from './CommunitySettingSelect.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'

export const communityLanguageAndTimeSettingsSection: CommunitySettingsSection = {
  id: 'language',
  title: { en: 'Language and time', ja: '言語と時刻' },
  Content: LanguageSettings,
}

function LanguageSettings({
  settings: { default_language, time_zone, quiet_hours },
}: AdminCommunitySettingsResponse) {
  const t = useText(communityLanguageAndTimeZoneText)
  return (
    <>
      <CommunitySettingSelect
        name="default_language"
        saved={default_language}
        label={t.language}
        help={t.languageHelp}
      >
        <LanguageSelectOptions byBrowser={t.byBrowser} />
      </CommunitySettingSelect>
      <CommunitySettingSelect
        name="time_zone"
        saved={time_zone ?? 'UTC'}
        label={t.timeZone}
        help={t.timeZoneHelp}
      >
        <TimeZoneSelectOptions chosen={time_zone} />
      </CommunitySettingSelect>
      <CommunityQuietHoursSetting saved={quiet_hours} timeZone={time_zone ?? 'UTC'} />
    </>
  )
}
