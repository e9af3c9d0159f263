import { MAX_OWNED_GROUPS } from '#features/chat/group-manager-contract.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunitySettingRadioGroup } from './CommunitySettingRadioGroup.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'

export const communityGroupSettingsSection: CommunitySettingsSection = {
  id: 'groups',
  title: { en: 'Groups', ja: 'グループ' },
  Content: GroupSettings,
}

const groupSettingsText = defineTexts({
  en: {
    whoCanCreateGroups: 'Who can create groups',
    admins: 'Admins',
    adminsHelp: 'Only admins create groups. Members keep the groups that they own, and manage them.',
    members: 'All members',
    membersHelp: (max: number) =>
      `Each member can own ${max} groups, and adds and removes the members of these groups. Admins manage all groups.`,
  },
  ja: {
    whoCanCreateGroups: 'グループを作成できる人',
    admins: '管理者',
    adminsHelp:
      'グループを作成できるのは管理者だけです。すでにメンバーが作成したグループは、引き続きその人が管理できます。',
    members: 'メンバー全員',
    membersHelp: (max: number) =>
      `メンバーはそれぞれグループを${max}個まで作成し、そのメンバーを追加したり外したりできます。管理者はすべてのグループを管理できます。`,
  },
})

function GroupSettings({ settings }: AdminCommunitySettingsResponse) {
  const t = useText(groupSettingsText)
  return (
    <CommunitySettingRadioGroup
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
