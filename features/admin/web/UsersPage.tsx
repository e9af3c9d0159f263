import { useState } from 'react'
import { AdminNotLoaded, ToDashboard } from '#features/people/web/ForAdmins.tsx'
import { type Source, useUserSearch } from '#features/people/web/useUserSearch.ts'
import { apiPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { initialAnswer } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { type Account, admin } from '../contract.ts'
import { Accounts } from './Accounts.tsx'
import { AdminLayout } from './AdminLayout.tsx'
import { adminText } from './text.ts'

/** How many rows are drawn at first, and how many more with each “Load more”. */
const AT_A_TIME = 100

const source: Source<Account> = {
  key: admin.users.path,
  page: async (q, from) => {
    const { rows, next } = await apiPage(admin.users, { q }, from)
    return { rows: rows.userData, next }
  },
  first: () => {
    const first = initialAnswer(admin.users)
    return first && { rows: (first.body as { userData: Account[] }).userData, next: first.next }
  },
  words: ({ name, email }) => `${name}\n${email}`,
}

export default function UsersPage() {
  return (
    <AdminLayout title={useText(adminText).users}>
      <ToDashboard />
      <Found />
    </AdminLayout>
  )
}

function Found() {
  const t = useText(adminText)
  const [text, setText] = useState('')
  const [most, setMost] = useState(AT_A_TIME)
  const { all, rows, more, waiting } = useUserSearch(source, text)
  const q = text.trim()
  if (!all.data) {
    if (!all.isError) return <RowSkeleton count={8} />
    return <AdminNotLoaded error={all.error} pending={all.isFetching} onRetry={() => all.refetch()} />
  }
  const showMore = () => {
    if (rows.length <= most) all.fetchNextPage()
    setMost(most + AT_A_TIME)
  }
  return (
    <>
      <SearchBox label={t.searchAccounts} text={text} onText={setText} />
      <p className="meta count-line" role="status">
        {waiting && !rows.length ? '' : t.people(rows.length, more)}
      </p>
      {rows.length > 0 && <Accounts accounts={rows.slice(0, most)} />}
      {!rows.length && !waiting && (
        <Empty title={t.noAccount(q)} help={t.noAccountHelp}>
          <Button onClick={() => setText('')}>{t.clear}</Button>
        </Empty>
      )}
      {(rows.length > most || (!q && all.hasNextPage)) && (
        <p className="list-more">
          <Button pending={all.isFetchingNextPage} onClick={showMore}>
            {t.loadMore}
          </Button>
        </p>
      )}
    </>
  )
}
