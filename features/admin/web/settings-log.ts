import type { SettingValues } from '#core/community/settings-contract.ts'
import type { Language } from '#core/contract.ts'
import {
  languageText,
  newMemberText,
  whoCanInviteText,
  whoCanJoinText,
  whoCanReadText,
} from '#features/registration/web/settings-text.ts'
import { joinRequestText } from '#features/registration/web/text.ts'
import { defineTexts } from '#web/i18n.ts'
import type { LogEntry } from '../contract.ts'
import { retentionText } from './retention-text.ts'
import {
  emojiText,
  groupSettingsText,
  limitSettingsText,
  linkSettingsText,
  lookText,
  quietHoursText,
} from './settings-text.ts'
import { adminText } from './text.ts'

const logText = defineTexts({
  en: {
    line: (label: string, value: string) => `${label}: ${value}`,
    mails: 'Mails',
    addresses: 'Addresses',
    count: String as (n: number) => string,
    on: 'On',
    off: 'Off',
    none: 'None',
    languages: { en: 'English', ja: 'Japanese' },
  },
  ja: {
    line: (label: string, value: string) => `${label}：${value}`,
    mails: 'メール',
    addresses: 'アドレス',
    count: (n: number) => `${n}件`,
    on: 'オン',
    off: 'オフ',
    none: 'なし',
    languages: { en: '英語', ja: '日本語' },
  },
})

/** What entries about settings have besides settings. */
interface Counts {
  mails: number
  addresses: number
}
type Values = SettingValues & Counts
type Shown = { [Name in keyof Values]: readonly [label: string, show: (value: Values[Name]) => string] }

/** The labels of the settings page, and the values in the words of its choices. */
function shownIn(lang: Language): Shown {
  const t = logText[lang]
  const admin = adminText[lang]
  const look = lookText[lang]
  const language = languageText[lang]
  const join = whoCanJoinText[lang]
  const invite = whoCanInviteText[lang]
  const read = whoCanReadText[lang]
  const fresh = newMemberText[lang]
  const groups = groupSettingsText[lang]
  const limits = limitSettingsText[lang]
  const keep = retentionText[lang]
  const { standardQuestion } = joinRequestText[lang]
  const onOff = (value: boolean) => (value ? t.on : t.off)
  const days = (value: number | null) => (value === null ? keep.forEver : keep.days(value))
  return {
    community_name: [admin.communityName, String],
    accent_colour: [look.accentColour, (value) => value ?? look.green],
    show_samples: [admin.showSamples, onOff],
    default_language: [
      language.language,
      (value) => (value === null ? language.byBrowser : t.languages[value]),
    ],
    time_zone: [language.timeZone, (value) => value ?? 'UTC'],
    quiet_hours: [quietHoursText[lang].title, (value) => (value ? `${value.from}–${value.to}` : t.none)],
    admins_need_second_step: [admin.adminsNeedSecondStep, onOff],
    who_can_join: [join.whoCanJoin, (value) => join[value]],
    join_question: [join.question, (value) => value ?? standardQuestion],
    who_can_invite: [invite.whoCanInvite, (value) => invite[value]],
    new_member_days: [fresh.newMembers, (value) => (value ? fresh.days(value) : fresh.off)],
    who_can_create_groups: [groups.whoCanCreateGroups, (value) => groups[value]],
    max_post_length: [limits.postLength, limits.characters],
    max_pictures: [limits.pictures, limits.countPictures],
    max_picture_mb: [limits.pictureSize, limits.megabytes],
    max_member_storage_mb: [limits.storage, limits.bytes],
    max_group_members: [limits.members, limits.countMembers],
    reaction_emoji: [emojiText[lang].label, (value) => value.join(' ')],
    link_previews: [linkSettingsText[lang].linkPreviews, onOff],
    who_can_read: [read.whoCanRead, (value) => read[value]],
    keep_messages_days: [keep.labels.messages, days],
    keep_pictures_days: [keep.labels.pictures, days],
    mails: [t.mails, t.count],
    addresses: [t.addresses, t.count],
  }
}

/** One line for each setting. Of settings that no longer exist, only old entries know; they have no label. */
export function settingLines(lang: Language, settings: NonNullable<LogEntry['settings']>) {
  const shown = shownIn(lang)
  return Object.entries(settings).map(([name, value]) => {
    const [label, show] = shown[name as keyof Shown] ?? [name, String]
    return logText[lang].line(label, (show as (value: unknown) => string)(value))
  })
}
