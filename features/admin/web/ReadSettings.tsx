import { whoCanReadText } from '#features/registration/web/settings-text.ts'
import { useText } from '#web/i18n.ts'
import type { AdminSettings } from '../contract.ts'
import { SettingRadios } from './SettingRadios.tsx'
import type { SettingsSection } from './settings-section.ts'

export const readSection: SettingsSection = {
  id: 'read',
  title: { en: 'Who reads', ja: '見られる人' },
  Content: ReadSettings,
}

function ReadSettings({ settings }: AdminSettings) {
  const t = useText(whoCanReadText)
  return (
    <SettingRadios
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
