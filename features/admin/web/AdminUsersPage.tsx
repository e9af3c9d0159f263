import { useState } from 'react'
import { formatEmailOrElseHandleOfMember } from '#features/people/contract.ts'
import { AdminDataLoadError, BackToAdminDashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { type SearchableUserListOptions, useSearchableUserList } from '#features/people/web/useUserSearch.ts'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { AdminOnlyPageLayout } from './AdminOnlyPageLayout.tsx'
import { ManagedAccountsTable } from './ManagedAccountsTable.tsx'
import { ShowAddressesButton } from './ShowAddressesButton.tsx'
import { adminText } from './text.ts'

const hasHiddenEmail = ({ has_hidden_email }: ManagedAccount) => has_hidden_email === true

/** The number of accounts that the page lists at first, and that the button “Load more” adds. */
const ROWS_PER_STEP = 100

const source: SearchableUserListOptions<ManagedAccount> = {
  key: adminEndpoints.users.path,
  fetchPage: async (q, from) => {
    const { rows, next } = await fetchListPage(adminEndpoints.users, { q }, from)
    return { rows: rows.userData, next }
  },
  initialPage: () => {
    const first = findInitialEndpointResponse(adminEndpoints.users)
    return first && { rows: (first.body as { userData: ManagedAccount[] }).userData, next: first.next }
  },
  searchText: ({ name, ...account }) => `${name}\n${formatEmailOrElseHandleOfMember(account)}`,
}

export default function AdminUsersPage() {
  return (
    <AdminOnlyPageLayout title={useText(adminText).users}>
      <BackToAdminDashboardLink />
      <AccountSearch />
    </AdminOnlyPageLayout>
  )
}

function AccountSearch() {
  const t = useText(adminText)
  const [text, setText] = useState('')
  const [most, setMost] = useState(ROWS_PER_STEP)
  const { query, rows, hasMore, isSearching } = useSearchableUserList(source, text)
  const q = text.trim()
  if (!query.data) {
    if (!query.isError) return <RowListSkeleton count={8} />
    return (
      <AdminDataLoadError error={query.error} pending={query.isFetching} onRetry={() => query.refetch()} />
    )
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
      {rows.some(hasHiddenEmail) && (
        <p className="show-addresses">
          <ShowAddressesButton reload={reload} />
        </p>
      )}
      {rows.length > 0 && <ManagedAccountsTable accounts={rows.slice(0, most)} />}
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
