import { communityLimitChoices } from '#core/community-settings-contract.ts'
import { defineTexts, pluralSuffix, useText } from '#web/i18n.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunitySettingNumberSelect } from './CommunitySettingNumberSelect.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'

export const communityContentLimitSettingsSection: CommunitySettingsSection = {
  id: 'limits',
  title: { en: 'Limits and sizes', ja: '数と大きさの上限' },
  Content: LimitSettings,
}

const limitSettingsText = defineTexts({
  en: {
    postLength: 'Length of a post',
    postLengthHelp: 'Posts that exist stay as they are.',
    characters: (n: number) => `${n.toLocaleString('en')} characters`,
    pictures: 'Pictures in a post, reply or message',
    picturesHelp: 'Posts and messages that exist keep their pictures.',
    countPictures: (n: number) => (n ? `${n} picture${pluralSuffix(n)}` : 'No pictures'),
    pictureSize: 'Size of a picture',
    pictureSizeHelp:
      'Browsers make larger photos smaller before they send them. Larger animations are refused.',
    megabytes: (n: number) => (n ? `${n.toLocaleString('en')} MB` : 'No limit'),
    storage: 'Pictures of a member together',
    storageHelp:
      'Nothing is deleted. Members above the limit add no more pictures until they have deleted some.',
    members: 'Members of a group',
    membersHelp: 'Larger groups keep their members. Nobody can be added to a full group, also by admins.',
    countMembers: (n: number) => (n ? `${n} members` : 'No limit'),
  },
  ja: {
    postLength: '投稿の長さ',
    postLengthHelp: 'すでにある投稿は変わりません。',
    characters: (n: number) => `${n.toLocaleString('ja')}文字まで`,
    pictures: '1件の投稿・返信・メッセージの画像',
    picturesHelp: 'すでにある投稿やメッセージの画像は変わりません。',
    countPictures: (n: number) => (n ? `${n}枚まで` : '画像なし'),
    pictureSize: '1枚の画像の大きさ',
    pictureSizeHelp:
      '上限より大きい写真は、送信の前にブラウザが縮小します。上限より大きいアニメーションは送れません。',
    megabytes: (n: number) => (n ? `${n.toLocaleString('ja')}MBまで` : '上限なし'),
    storage: '1人のメンバーの画像の合計',
    storageHelp:
      '画像は削除されません。上限を超えているメンバーは、画像を削除するまで新しい画像を追加できません。',
    members: 'グループのメンバー',
    membersHelp: '上限より大きいグループのメンバーは減りません。満員のグループには、管理者も追加できません。',
    countMembers: (n: number) => (n ? `${n}人まで` : '上限なし'),
  },
})

function LimitSettings({ settings }: AdminCommunitySettingsResponse) {
  const t = useText(limitSettingsText)
  return (
    <>
      <CommunitySettingNumberSelect
        name="max_post_length"
        saved={settings.max_post_length}
        label={t.postLength}
        help={t.postLengthHelp}
        choices={communityLimitChoices.max_post_length}
        format={t.characters}
      />
      <CommunitySettingNumberSelect
        name="max_pictures"
        saved={settings.max_pictures}
        label={t.pictures}
        help={t.picturesHelp}
        choices={communityLimitChoices.max_pictures}
        format={t.countPictures}
      />
      <CommunitySettingNumberSelect
        name="max_picture_mb"
        saved={settings.max_picture_mb}
        label={t.pictureSize}
        help={t.pictureSizeHelp}
        choices={communityLimitChoices.max_picture_mb}
        format={t.megabytes}
      />
      <CommunitySettingNumberSelect
        name="max_member_storage_mb"
        saved={settings.max_member_storage_mb}
        label={t.storage}
        help={t.storageHelp}
        choices={communityLimitChoices.max_member_storage_mb}
        format={t.megabytes}
      />
      <CommunitySettingNumberSelect
        name="max_group_members"
        saved={settings.max_group_members}
        label={t.members}
        help={t.membersHelp}
        choices={communityLimitChoices.max_group_members}
        format={t.countMembers}
      />
    </>
  )
}
