import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { channelName } from '#core/contract.ts'
import { type Listed, type Me, people } from '#features/people/contract.ts'
import { api, apiPage } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { useChannel } from '#web/realtime.ts'
import {
  type Conversation,
  channels,
  chat,
  type GroupChange,
  type GroupMessageEvent,
  groups,
  type Last,
  type MyGroup,
  type PrivateMessage,
} from '../contract.ts'

const conversationsKey = [chat.conversations.path]
const groupsKey = [groups.mine.path]
const followedKey = [people.followedUsers.path]
const MOST_PAGES = 20

/** All pages of a list: what a person has is a few of them. */
async function allPages<T>(fetchPage: (from: string | null) => Promise<{ rows: T[]; next: string | null }>) {
  const all: T[] = []
  let from: string | null = null
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await fetchPage(from)
    all.push(...page.rows)
    from = page.next
    if (!from) break
  }
  return all
}

/** What came inside the page, unless there is more than one page of it. */
const firstOf = <T,>(answer: ReturnType<typeof initialAnswer>) =>
  answer && !answer.next ? (answer.body as T) : undefined

const toLast = (row: PrivateMessage | GroupMessageEvent, name: string): Last => ({
  id: row.id,
  user_id: 'user' in row ? row.userId : row.from_user_id,
  name,
  message: row.message,
  images_count: row.images.length,
  deleted_at: row.deleted_at,
  created_at: row.created_at,
})
/** A message is the newest, or it is the newest one changed. */
const isNewest = (row: { id: number }, last: Last | null) => !last || row.id >= last.id

function heardPrivate(client: QueryClient, me: number, row: PrivateMessage) {
  const other = row.from_user_id === me ? row.to_user_id : row.from_user_id
  const rows = client.getQueryData<Conversation[]>(conversationsKey)
  const found = rows?.find(({ user }) => user.id === other)
  if (!rows || !found) return void client.invalidateQueries({ queryKey: conversationsKey })
  if (!isNewest(row, found.last_message)) return
  const changed = { ...found, last_message: toLast(row, found.user.name) }
  client.setQueryData<Conversation[]>(
    conversationsKey,
    [changed, ...rows.filter((one) => one !== found)].sort(newestFirst),
  )
}

function heardGroup(client: QueryClient, row: GroupMessageEvent) {
  const rows = client.getQueryData<MyGroup[]>(groupsKey)
  const found = rows?.find(({ id }) => id === row.groupId)
  if (!rows || !found) return void client.invalidateQueries({ queryKey: groupsKey })
  if (!isNewest(row, found.last_message)) return
  const changed = { ...found, last_message: toLast(row, row.user.name) }
  client.setQueryData<MyGroup[]>(
    groupsKey,
    [changed, ...rows.filter((one) => one !== found)].sort(newestFirst),
  )
}

function groupChanged(client: QueryClient, id: number, { kind, name }: GroupChange) {
  const more = kind === 'added' ? 1 : kind === 'removed' || kind === 'left' ? -1 : 0
  const changed = (group: MyGroup) => ({
    ...group,
    name: kind === 'renamed' ? name! : group.name,
    members_count: group.members_count + more,
  })
  client.setQueryData<MyGroup[]>(groupsKey, (rows) =>
    rows?.map((group) => (group.id === id ? changed(group) : group)),
  )
}

type Dated = { last_message: Last | null }
const newestFirst = (a: Dated, b: Dated) => (b.last_message?.id ?? 0) - (a.last_message?.id ?? 0)

/** Keeps both lists right while a page of chats is shown. */
export function useWatchLists(me: Me) {
  const client = useQueryClient()
  const again = (queryKey: readonly string[]) => void client.invalidateQueries({ queryKey })
  useChannel(channelName(channels.user, { user: me.id }), {
    subscribed() {
      again(conversationsKey)
      again(groupsKey)
    },
    events: {
      PrivateMessageSent: (row: PrivateMessage) => heardPrivate(client, me.id, row),
      PrivateMessageChanged: (row: PrivateMessage) => heardPrivate(client, me.id, row),
      GroupMessageSent: (row: GroupMessageEvent) => heardGroup(client, row),
      GroupMessageChanged: (row: GroupMessageEvent) => heardGroup(client, row),
      GroupChanged: ({ groupId, change }: { groupId: number; change: GroupChange }) =>
        change.person?.id === me.id || change.kind === 'deleted' || change.kind === 'created'
          ? again(groupsKey)
          : groupChanged(client, groupId, change),
    },
  })
}

const FRESH = { staleTime: 30_000, gcTime: Number.POSITIVE_INFINITY }

export const useConversations = () =>
  useQuery({
    queryKey: conversationsKey,
    queryFn: () => allPages<Conversation>((from) => apiPage(chat.conversations, {}, from)),
    initialData: () => firstOf<Conversation[]>(initialAnswer(chat.conversations)),
    ...FRESH,
  })

export const useFollowed = () =>
  useQuery({
    queryKey: followedKey,
    queryFn: () => allPages<Listed>((from) => apiPage(people.followedUsers, {}, from)),
    initialData: () => firstOf<Listed[]>(initialAnswer(people.followedUsers)),
    ...FRESH,
  })

export const useMyGroups = () =>
  useQuery({
    queryKey: groupsKey,
    queryFn: () => api(groups.mine, {}),
    initialData: () => initialAnswer(groups.mine)?.body as MyGroup[] | undefined,
    ...FRESH,
  })
