import { MAX_OWNED_GROUPS } from '#features/groups/contract.ts'
import { useText } from '#web/i18n.ts'
import type { AdminSettings } from '../contract.ts'
import { SettingRadios } from './SettingRadios.tsx'
import type { SettingsSection } from './settings-section.ts'
import { groupSettingsText } from './settings-text.ts'

export const groupsSection: SettingsSection = {
  id: 'groups',
  title: { en: 'Groups', ja: 'グループ' },
  Content: GroupSettings,
}

function GroupSettings({ settings }: AdminSettings) {
  const t = useText(groupSettingsText)
  return (
    <SettingRadios
      name="who_can_create_groups"
      saved={settings.who_can_create_groups}
      label={t.whoCanCreateGroups}
      choices={[
        { value: 'admins', label: t.admins, help: t.adminsHelp },
        { value: 'members', label: t.members, help: t.membersHelp(MAX_OWNED_GROUPS) },
      ]}
    />
  )
}
