import { limitChoices } from '#core/community-settings-contract.ts'
import { defineTexts, pluralSuffix, useText } from '#web/i18n.ts'
import type { AdminCommunitySettings } from '../contract.ts'
import { SettingNumberSelect } from './SettingNumberSelect.tsx'
import type { SettingsSection } from './settings-section.ts'

export const limitSettings: SettingsSection = {
  id: 'limits',
  title: { en: 'Limits and sizes', ja: '数と大きさの上限' },
  Content: LimitSettings,
}

const limitSettingsText = defineTexts({
  en: {
    postLength: 'Length of a post',
    postLengthHelp: 'Posts that exist stay as they are.',
    characters: (n: number) => `${n.toLocaleString('en')} characters`,
    pictures: 'Pictures in a post or message',
    picturesHelp: 'Each picture has at most 10 MB.',
    countPictures: (n: number) => (n ? `${n} picture${pluralSuffix(n)}` : 'No pictures'),
    members: 'Members of a group',
    membersHelp: 'Larger groups keep their members. Nobody can be added to a full group, also by admins.',
    countMembers: (n: number) => (n ? `${n} members` : 'No limit'),
  },
  ja: {
    postLength: '投稿の長さ',
    postLengthHelp: 'すでにある投稿は変わりません。',
    characters: (n: number) => `${n.toLocaleString('ja')}文字まで`,
    pictures: '1件の投稿やメッセージの画像',
    picturesHelp: '画像は1枚につき10MBまでです。',
    countPictures: (n: number) => (n ? `${n}枚まで` : '画像なし'),
    members: 'グループのメンバー',
    membersHelp: '上限より大きいグループのメンバーは減りません。満員のグループには、管理者も追加できません。',
    countMembers: (n: number) => (n ? `${n}人まで` : '上限なし'),
  },
})

function LimitSettings({ settings }: AdminCommunitySettings) {
  const t = useText(limitSettingsText)
  return (
    <>
      <SettingNumberSelect
        name="max_post_length"
        saved={settings.max_post_length}
        label={t.postLength}
        help={t.postLengthHelp}
        choices={limitChoices.max_post_length}
        format={t.characters}
      />
      <SettingNumberSelect
        name="max_pictures"
        saved={settings.max_pictures}
        label={t.pictures}
        help={t.picturesHelp}
        choices={limitChoices.max_pictures}
        format={t.countPictures}
      />
      <SettingNumberSelect
        name="max_group_members"
        saved={settings.max_group_members}
        label={t.members}
        help={t.membersHelp}
        choices={limitChoices.max_group_members}
        format={t.countMembers}
      />
    </>
  )
}
