import { whoCanReadText } from '#features/registration/web/settings-text.ts'
import { useText } from '#web/i18n.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunitySettingRadioGroup } from './CommunitySettingRadioGroup.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'

export const communityReadAccessSettingsSection: CommunitySettingsSection = {
  id: 'read',
  title: { en: 'Who reads', ja: '閲覧' },
  Content: ReadSettings,
}

function ReadSettings({ settings }: AdminCommunitySettingsResponse) {
  const t = useText(whoCanReadText)
  return (
    <CommunitySettingRadioGroup
      name="who_can_read"
      saved={settings.who_can_read}
      label={t.whoCanRead}
      choices={[
        { value: 'everyone', label: t.everyone, help: t.everyoneHelp },
        { value: 'members', label: t.members, help: t.membersHelp },
      ]}
    />
  )
}
