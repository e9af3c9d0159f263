import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import {
  type DataExportLabelledValue,
  type DataExportRecord,
  type DataExportSection,
  listDataExportPictureOfUrl,
  yieldAllKeysetPages,
  yieldQueryResultAsSinglePage,
} from '#core/exports.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { listBlockedPeople } from './blocks.ts'
import type { ListedUser, Person } from './contract.ts'
import { listMutedPeople } from './mutes.ts'
import { listFollowersOrFollowing, readMe } from './read.ts'
import { securityEventExportNamesByKind } from './security-event-texts.ts'
import { listSecurityEvents } from './security-log.ts'
import { listSessions } from './sessions.ts'

const texts = {
  en: {
    profile: 'Profile',
    name: 'Name',
    handle: 'Handle',
    email: 'Email address',
    verified: 'Verified at',
    joined: 'Joined at',
    admin: 'Admin',
    yes: 'Yes',
    following: 'Following',
    followers: 'Followers',
    blocked: 'Blocked people',
    muted: 'Muted people',
    sessions: 'Devices',
    device: 'Device',
    network: 'Network',
    lastUsed: 'Last used',
    log: 'Security log',
    byAdmin: 'By an admin',
  },
  ja: {
    profile: 'プロフィール',
    name: '名前',
    handle: 'ハンドル',
    email: 'メールアドレス',
    verified: '確認日時',
    joined: '登録日時',
    admin: '管理者',
    yes: 'はい',
    following: 'フォロー中',
    followers: 'フォロワー',
    blocked: 'ブロックした人',
    muted: 'ミュートした人',
    sessions: '端末',
    device: '端末',
    network: 'ネットワーク',
    lastUsed: '最終利用',
    log: 'セキュリティログ',
    byAdmin: '管理者による',
  },
} satisfies Record<Language, object>

/**
 * Returns a person's name for the archive of a member's data, with the handle if somebody else has a name
 * that looks alike.
 */
export const formatPersonNameForExport = ({ name, shared_handle }: Pick<Person, 'name' | 'shared_handle'>) =>
  shared_handle ? `${name} (@${shared_handle})` : name

async function* readProfileRecords(viewer: MemberContext, lang: Language) {
  const t = texts[lang]
  const { profile_image, ...me } = await readMe(viewer)
  const facts: (readonly [string, DataExportLabelledValue[1] | null])[] = [
    [t.name, me.name],
    [t.handle, me.handle],
    [t.email, me.email],
    [t.verified, me.email_verified_at && { time: me.email_verified_at }],
    [t.joined, { time: me.created_at }],
    [t.admin, me.is_admin ? t.yes : null],
  ]
  const record: DataExportRecord = {
    data: me,
    text: me.bio,
    facts: facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
    pictures: listDataExportPictureOfUrl(profile_image),
  }
  yield [record]
}

async function* readFollowRecords(viewer: MemberContext, column: 'follower_id' | 'followed_id') {
  const read = yieldAllKeysetPages((page) =>
    listFollowersOrFollowing(viewer, column, { id: viewer.me.id, ...page }),
  )
  for await (const people of read)
    yield people.map(
      ({ id, name, handle, bio, ...person }: ListedUser): DataExportRecord => ({
        data: { id, name, handle },
        heading: formatPersonNameForExport({ name, ...person }),
        text: bio,
      }),
    )
}

async function* readBlockRecords(viewer: MemberContext) {
  for await (const people of yieldAllKeysetPages((page) => listBlockedPeople(viewer, page)))
    yield people.map(({ blocked_at, ...person }) => toDatedPersonRecord(person, { blocked_at }, blocked_at))
}

async function* readMuteRecords(viewer: MemberContext) {
  for await (const people of yieldAllKeysetPages((page) => listMutedPeople(viewer, page)))
    yield people.map(({ muted_at, ...person }) => toDatedPersonRecord(person, { muted_at }, muted_at))
}

const toDatedPersonRecord = (
  { id, name, ...person }: Person,
  data: object,
  time: string,
): DataExportRecord => ({
  data: { id, name, ...data },
  heading: formatPersonNameForExport({ name, ...person }),
  time,
})

async function* readEventRecords({ db, me }: MemberContext, lang: Language) {
  const t = texts[lang]
  const read = yieldAllKeysetPages(async (page) =>
    toPagedResponse(
      await listSecurityEvents(db, me.id, page),
      page.limit,
      (last) => ({ before: last.id }),
      (rows) => rows,
    ),
  )
  for await (const events of read)
    yield events.map(({ kind, network, created_at, actor_id }): DataExportRecord => {
      const by_admin = actor_id !== null && actor_id !== me.id
      return {
        data: { kind, network, created_at, by_admin },
        heading: securityEventExportNamesByKind[kind][lang],
        time: created_at,
        facts: network ? [[t.network, network]] : [],
        note: by_admin ? t.byAdmin : undefined,
      }
    })
}

async function readSessionRecords({ db, me }: MemberContext, lang: Language) {
  const t = texts[lang]
  const sessions = await listSessions(db, me.id, '')
  return sessions.map(({ device, network, created_at, last_used_at }): DataExportRecord => {
    const facts = [
      [t.network, network],
      [t.lastUsed, { time: last_used_at }],
    ] as const
    return {
      data: { device, network, created_at, last_used_at },
      heading: device ?? t.device,
      time: created_at,
      facts: facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
    }
  })
}

export const peopleExportSection: DataExportSection = {
  title: { en: 'Account', ja: 'アカウント' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield {
      path: 'profile',
      title: t.profile,
      layout: 'start',
      pages: () => readProfileRecords(viewer, lang),
    }
    yield {
      path: 'following',
      title: t.following,
      layout: 'list',
      pages: () => readFollowRecords(viewer, 'follower_id'),
    }
    yield {
      path: 'followers',
      title: t.followers,
      layout: 'list',
      pages: () => readFollowRecords(viewer, 'followed_id'),
    }
    yield { path: 'blocked', title: t.blocked, layout: 'list', pages: () => readBlockRecords(viewer) }
    yield { path: 'muted', title: t.muted, layout: 'list', pages: () => readMuteRecords(viewer) }
    yield {
      path: 'sessions',
      title: t.sessions,
      layout: 'list',
      pages: () => yieldQueryResultAsSinglePage(() => readSessionRecords(viewer, lang)),
    }
    yield {
      path: 'security-log',
      title: t.log,
      layout: 'list',
      pages: () => readEventRecords(viewer, lang),
    }
  },
}
