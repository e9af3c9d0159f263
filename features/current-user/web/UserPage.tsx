import './current-user.css'
import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { type Me, people } from '#features/people/contract.ts'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { EmptyAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { currentUserText } from './text.ts'

/** A test page with a button that asks the server who is logged in. */
export default function UserPage() {
  const t = useText(currentUserText)
  const explain = useExplain()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['current user'],
    queryFn: () => api(people.me, {}),
    enabled: false,
    retry: false,
    gcTime: 0,
  })
  const isVisitor = isHttpError(error, 401)
  const ask = async () => isHttpError((await refetch()).error, 401) && pleaseLogIn()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.currentUser}>
        <EmptyAvatars />
      </PageHeader>
      <div className="boards">
        <div className="board stack current-user">
          <p className="soft">{t.about}</p>
          <Button kind="primary" icon={UserRound} pending={isFetching} onClick={ask}>
            {t.fetch}
          </Button>
          {error && !isVisitor && <Notice kind="bad">{explain(error)}</Notice>}
        </div>
        {data && !error && <Record me={data} />}
      </div>
    </PageLayout>
  )
}

const Record = ({ me }: { me: Me }) => (
  <section className="board" aria-label={useText(currentUserText).record}>
    <dl className="record">
      {Object.entries(me).map(([field, value]) => (
        <div key={field}>
          <dt lang="en">{field}</dt>
          <dd>{typeof value === 'string' ? <Name>{value}</Name> : <code>{JSON.stringify(value)}</code>}</dd>
        </div>
      ))}
    </dl>
  </section>
)
