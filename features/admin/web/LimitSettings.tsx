import { limitChoices } from '#core/community/settings-contract.ts'
import { useText } from '#web/i18n.ts'
import type { AdminSettings } from '../contract.ts'
import { NumberSelect } from './SettingSelect.tsx'
import type { SettingsSection } from './settings-section.ts'
import { limitSettingsText } from './settings-text.ts'

export const limitsSection: SettingsSection = {
  id: 'limits',
  title: { en: 'Limits and sizes', ja: '数と大きさの上限' },
  Content: LimitSettings,
}

function LimitSettings({ settings }: AdminSettings) {
  const t = useText(limitSettingsText)
  return (
    <>
      <NumberSelect
        name="max_post_length"
        saved={settings.max_post_length}
        label={t.postLength}
        help={t.postLengthHelp}
        choices={limitChoices.max_post_length}
        format={t.characters}
      />
      <NumberSelect
        name="max_pictures"
        saved={settings.max_pictures}
        label={t.pictures}
        help={t.picturesHelp}
        choices={limitChoices.max_pictures}
        format={t.countPictures}
      />
      <NumberSelect
        name="max_picture_mb"
        saved={settings.max_picture_mb}
        label={t.pictureSize}
        help={t.pictureSizeHelp}
        choices={limitChoices.max_picture_mb}
        format={t.megabytes}
      />
      <NumberSelect
        name="max_member_storage_mb"
        saved={settings.max_member_storage_mb}
        label={t.storage}
        help={t.storageHelp}
        choices={limitChoices.max_member_storage_mb}
        format={t.bytes}
      />
      <NumberSelect
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
