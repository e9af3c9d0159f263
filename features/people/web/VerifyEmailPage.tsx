import './people.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { ApiError, api } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { EmptyAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { people } from '../contract.ts'
import { accountText, fixed } from './account-text.ts'
import { SendLinkAgain } from './VerifyNotice.tsx'

const REDIRECT_AFTER = 1000

/** Verifies by the mail's link, or asks whether the address is verified; `message` is null then. */
async function verify(
  { id, hash }: { id?: string; hash?: string },
  search: string,
): Promise<{ message: string | null }> {
  if (id && hash) return api(people.verify, { ...Object.fromEntries(new URLSearchParams(search)), id, hash })
  const me = await api(people.me, {})
  if (!me.email_verified_at) throw new ApiError(403, '')
  return { message: null }
}

export default function VerifyEmailPage() {
  const t = useText(accountText)
  const params = useParams<{ id?: string; hash?: string }>()
  const [, go] = useLocation()
  // The address may be that of the next page already, while this page is still shown.
  const [link] = useState(() => ({ path: location.pathname, search: location.search }))
  const client = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['verify', link.path, link.search],
    queryFn: () => verify(params, link.search),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (!data) return
    client.invalidateQueries({ queryKey: [people.me.path] })
    const timer = setTimeout(() => go('/'), REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [data, client, go])

  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.verifyTitle}>
        <EmptyAvatars />
      </PageHeader>
      <div className="board alone form-board">
        {data && <Notice kind="good">{data.message ?? t.verified}</Notice>}
        {error && <Failed error={error} />}
        {!data && !error && (
          <p className="loading" role="status">
            <span>
              <QuotedText {...fixed.verifying} />
            </span>
          </p>
        )}
      </div>
    </PageLayout>
  )
}

function Failed({ error }: { error: Error }) {
  const t = useText(accountText)
  const explain = useExplain()
  const me = useMe()
  const says = error instanceof ApiError && (error.status === 0 || (error.message && error.status !== 401))
  return (
    <>
      <Notice kind="bad">
        <QuotedText {...fixed.verifyBad} />
        {says && <small>{explain(error)}</small>}
      </Notice>
      {me ? (
        !me.email_verified_at && <SendLinkAgain>{t.sendLinkAgain}</SendLinkAgain>
      ) : (
        <ButtonLink full href="/login?next=%2Fdashboard">
          {t.logIn}
        </ButtonLink>
      )}
    </>
  )
}
