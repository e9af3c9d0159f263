import { useState } from 'react'
import { nameToLogIn } from '#features/people/contract.ts'
import { AdminLoadError, DashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { searchedNames, type UserSource, useUserSearch } from '#features/people/web/useUserSearch.ts'
import { fetchPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { findAnswer } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { AccountsTable } from './AccountsTable.tsx'
import { AddressesButton } from './AddressesButton.tsx'
import { AdminLayout } from './AdminLayout.tsx'
import { adminText } from './text.ts'
import { VerifyAllButton } from './VerifyAllButton.tsx'

const hasHiddenEmail = ({ has_hidden_email }: ManagedAccount) => has_hidden_email === true

const ROWS_PER_STEP = 100

const source: UserSource<ManagedAccount> = {
  key: adminEndpoints.users.path,
  fetchPage: async (q, from) => {
    const { rows, next } = await fetchPage(adminEndpoints.users, { q }, from)
    return { rows: rows.userData, next }
  },
  initialPage: () => {
    const first = findAnswer(adminEndpoints.users)
    return first && { rows: (first.body as { userData: ManagedAccount[] }).userData, next: first.next }
  },
  searchText: (account) => `${searchedNames(account)}\n${nameToLogIn(account)}`,
}

export default function AdminUsersPage() {
  return (
    <AdminLayout title={useText(adminText).users}>
      <DashboardLink />
      <AccountSearch />
    </AdminLayout>
  )
}

function AccountSearch() {
  const t = useText(adminText)
  const [text, setText] = useState('')
  const [most, setMost] = useState(ROWS_PER_STEP)
  const { query, rows, hasMore, isSearching } = useUserSearch(source, text)
  const q = text.trim()
  if (!query.data) {
    if (!query.isError) return <RowSkeletons count={8} />
    return <AdminLoadError error={query.error} pending={query.isFetching} onRetry={() => query.refetch()} />
  }
  const reload = async () => {
    const { data } = await query.refetch({ throwOnError: true })
    return data?.pages.some((page) => page.rows.some(hasHiddenEmail)) ?? false
  }
  const showMore = () => {
    if (rows.length <= most) query.fetchNextPage()
    setMost(most + ROWS_PER_STEP)
  }
  return (
    <>
      <SearchBox label={t.searchAccounts} text={text} onText={setText} />
      <p className="text-meta result-count" role="status">
        {isSearching && !rows.length ? '' : t.people(rows.length, hasMore)}
      </p>
      <div className="cluster show-addresses">
        {rows.some(hasHiddenEmail) && <AddressesButton reload={reload} />}
        <VerifyAllButton reload={query.refetch} />
      </div>
      {rows.length > 0 && <AccountsTable accounts={rows.slice(0, most)} />}
      {!rows.length && !isSearching && (
        <EmptyState title={t.noAccount(q)} help={t.noAccountHelp}>
          <Button onClick={() => setText('')}>{t.clear}</Button>
        </EmptyState>
      )}
      {(rows.length > most || (!q && query.hasNextPage)) && (
        <p className="list-more">
          <Button pending={query.isFetchingNextPage} onClick={showMore}>
            {t.loadMore}
          </Button>
        </p>
      )}
    </>
  )
}
