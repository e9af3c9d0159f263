import '#features/people/ui.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { RotateCw, Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { folded } from '#core/contract.ts'
import { type Listed, people } from '#features/people/contract.ts'
import { FollowButton, useFollowings } from '#features/people/FollowButton.tsx'
import { PleaseLogIn } from '#features/people/PleaseLogIn.tsx'
import { peopleText } from '#features/people/text.ts'
import { apiPage } from '#web/api.ts'
import { firstAnswer } from '#web/boot.ts'
import { isRefusal, useExplain } from '#web/failure.ts'
import { useMe } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { RowBones } from '#web/ui/Bones.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Face } from '#web/ui/Face.tsx'
import { House } from '#web/ui/House.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Sill } from '#web/ui/Sill.tsx'

const TYPING = 250

const useAll = () =>
  useInfiniteQuery({
    queryKey: [people.users.path],
    queryFn: ({ pageParam }) => apiPage(people.users, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    initialData: () => {
      const first = firstAnswer(people.users)
      return first && { pages: [{ rows: first.body as Listed[], next: first.next }], pageParams: [null] }
    },
  })

/** What the server finds beyond the pages that are loaded. */
function useBeyond(q: string, enabled: boolean) {
  const [asked, setAsked] = useState(q)
  useEffect(() => {
    const timer = setTimeout(setAsked, TYPING, q)
    return () => clearTimeout(timer)
  }, [q])
  const found = useQuery({
    queryKey: [people.users.path, asked],
    queryFn: () => apiPage(people.users, { q: asked }),
    enabled: enabled && asked !== '',
  })
  const isAnswered = asked === q && !found.isFetching
  return { rows: asked === q ? (found.data?.rows ?? []) : [], more: found.data?.next != null, waiting: enabled && q !== '' && !isAnswered }
}

/** The search survives Back and a reload: it is in the address. */
function useSearchText() {
  const [text, setText] = useState(() => new URLSearchParams(location.search).get('q') ?? '')
  useEffect(() => {
    const keep = () => history.replaceState(history.state, '', text ? `?q=${encodeURIComponent(text)}` : location.pathname)
    const timer = setTimeout(keep, TYPING)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText] as const
}

export default function SearchUsersPage() {
  const t = useText(peopleText)
  return (
    <House>
      <Sill title={t.searchUsers} />
      {useMe() ? <Found /> : <PleaseLogIn />}
    </House>
  )
}

function Found() {
  const t = useText(peopleText)
  const explain = useExplain()
  const [text, setText] = useSearchText()
  const all = useAll()
  const q = folded(text.trim())
  const loaded = all.data?.pages.flatMap((page) => page.rows) ?? []
  const here = loaded.filter((person) => folded(person.name).includes(q))
  const beyond = useBeyond(q, all.hasNextPage)
  const known = new Set(here.map((person) => person.id))
  const rows = [...here, ...beyond.rows.filter((person) => !known.has(person.id))]

  if (!all.data) {
    if (!all.isError) return <RowBones count={8} />
    if (isRefusal(all.error, 401)) return <PleaseLogIn />
    return (
      <Empty title={t.didNotLoad} help={explain(all.error)}>
        <Button icon={RotateCw} pending={all.isFetching} onClick={() => all.refetch()}>
          {t.retry}
        </Button>
      </Empty>
    )
  }
  return (
    <>
      <div className="edge">
        <SearchBox text={text} onText={setText} />
      </div>
      <p className="meta edge count-line" role="status">
        {beyond.waiting && !rows.length ? '' : t.people(rows.length, q ? beyond.more : all.hasNextPage)}
      </p>
      <Rows rows={rows} />
      {!rows.length && !beyond.waiting && (
        <Empty title={t.nobodyFound(text.trim())} help={t.nobodyHelp}>
          <Button onClick={() => setText('')}>{t.clear}</Button>
        </Empty>
      )}
      {!q && all.hasNextPage && (
        <p className="list-more">
          <Button pending={all.isFetchingNextPage} onClick={() => all.fetchNextPage()}>
            {t.loadMore}
          </Button>
        </p>
      )}
    </>
  )
}

function SearchBox({ text, onText }: { text: string; onText: (text: string) => void }) {
  const t = useText(peopleText)
  const ref = useRef<HTMLInputElement>(null)
  const clear = () => {
    onText('')
    ref.current?.focus()
  }
  return (
    <search className="search">
      <Icon of={Search} />
      <input
        ref={ref}
        className="input"
        type="search"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        placeholder={t.searchBy}
        aria-label={t.searchBy}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      {text && <Button kind="bare" only icon={X} label={t.clear} onClick={clear} />}
    </search>
  )
}

function Rows({ rows }: { rows: Listed[] }) {
  const t = useText(peopleText)
  const me = useMe()
  const followings = useFollowings()
  const followed = new Set(followings.data)
  return (
    <ul className="boards flush people">
      {rows.map((person) => (
        <li key={person.id} className="row" data-person={person.id}>
          <Face person={person} />
          <div className="text">
            <Name className="name">{person.name}</Name>
            {person.bio && <Name className="line">{person.bio.replace(/\s+/g, ' ')}</Name>}
          </div>
          {person.id === me?.id ? (
            <span className="chip">{t.you}</span>
          ) : (
            followings.data && <FollowButton person={person} following={followed.has(person.id)} />
          )}
        </li>
      ))}
    </ul>
  )
}
