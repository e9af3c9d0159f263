import '#web/ui/form-pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { ApiError, callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { type Me, peopleEndpoints } from '../contract.ts'
import { accountText, specTexts } from './account-text.ts'
import { ForeignAccount, type Registered, useRegisteredToast } from './ForeignAccount.tsx'
import { SendButton } from './VerifyEmailNotice.tsx'
import { verifyText } from './verify-email-text.ts'

const REDIRECT_AFTER = 1000

interface Verification {
  isVerified: boolean
  /** From the server; null if the page was opened without a link. */
  message: string | null
  /** Present in a browser that is not of the account. */
  registered?: Registered
}

/** A query parameter: the page stays open, so that a person who has not registered the address can choose. */
const STAY = 'stay'

/** Without a link, asks the server whether the address of the current member is verified. */
async function verify({ id, hash }: { id?: string; hash?: string }, search: string): Promise<Verification> {
  if (!id || !hash)
    return {
      isVerified: (await callEndpoint(peopleEndpoints.me, {})).email_verified_at !== null,
      message: null,
    }
  const { [STAY]: _, ...given } = Object.fromEntries(new URLSearchParams(search))
  return { isVerified: true, ...(await callEndpoint(peopleEndpoints.verify, { ...given, id, hash })) }
}

export default function VerifyEmailPage() {
  const t = useText(accountText)
  const params = useParams<{ id?: string; hash?: string }>()
  const [, go] = useLocation()
  // With the verification link: after a navigation `location` is already the next page's, while this one
  // still shows.
  const [link] = useState(() => ({ path: location.pathname, search: location.search }))
  const client = useQueryClient()
  const showRegisteredToast = useRegisteredToast()
  const { data, error } = useQuery({
    queryKey: ['verify', link.path, link.search],
    queryFn: () => verify(params, link.search),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (!data?.isVerified) return
    client.invalidateQueries({ queryKey: [peopleEndpoints.me.path] })
    if (new URLSearchParams(link.search).has(STAY)) return
    const leave = () => {
      if (data.registered)
        showRegisteredToast(data.registered, () => go(`${link.path}${link.search}&${STAY}=1`))
      go('/')
    }
    const timer = setTimeout(leave, REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [data, client, go, link, showRegisteredToast])

  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.verifyTitle}>
        <HeaderAvatars />
      </PageHeader>
      <div className="card alone form-card">
        {data?.isVerified && <Notice kind="success">{data.message ?? t.verified}</Notice>}
        {data?.registered && (
          <ForeignAccount registered={data.registered} link={{ ...params, search: link.search }} />
        )}
        {data && !data.isVerified && <NotVerified />}
        {error && <Failed error={error} />}
        {!data && !error && (
          <p className="loading" role="status">
            <span>
              <QuotedText {...specTexts.verifying} />
            </span>
          </p>
        )}
      </div>
    </PageLayout>
  )
}

/** For a member who opened the page without a verification link. */
function NotVerified() {
  const t = useText(accountText)
  const me = useMe()
  if (!me) return null
  if (me.email === null)
    return (
      <>
        <Notice kind="warning">{t.noEmail}</Notice>
        <ButtonLink fullWidth href="/account">
          {t.toAccount}
        </ButtonLink>
      </>
    )
  return (
    <>
      <Notice kind="warning">
        <LinkPlace me={me} />
      </Notice>
      <ResendButton me={me}>{t.sendLinkAgain}</ResendButton>
      <ButtonLink fullWidth href="/">
        {t.backToTop}
      </ButtonLink>
    </>
  )
}

const withoutMail = defineTexts({
  en: {
    ask: ['', ' is not verified yet. Please ask an admin for the link that verifies it.'],
    find: ['', ' is not verified yet. You can find the link in the list of users.'],
    userList: 'User list',
  },
  ja: {
    ask: ['', 'の確認が済んでいません。確認用のリンクを、管理者から受け取ってください。'],
    find: ['', 'の確認が済んでいません。確認用のリンクは、メンバー一覧にあります。'],
    userList: 'メンバー一覧',
  },
})

/** In a mail, or with an admin if the server sends none. */
function LinkPlace({ me }: { me: Me }) {
  const { linkSent } = useText(verifyText)
  const { ask, find } = useText(withoutMail)
  const [before, after] = pageData.app.mail ? linkSent : me.is_admin ? find : ask
  return (
    <>
      {before}
      <b>{me.email}</b>
      {after}
    </>
  )
}

/** If the server sends no mail: a link to the user list for admins, nothing for others. */
function ResendButton({ me, children }: { me: Me; children: string }) {
  const { userList } = useText(withoutMail)
  if (pageData.app.mail) return <SendButton>{children}</SendButton>
  return (
    me.is_admin && (
      <ButtonLink fullWidth href="/admin/users">
        {userList}
      </ButtonLink>
    )
  )
}

function Failed({ error }: { error: Error }) {
  const t = useText(accountText)
  const explain = useErrorText()
  const me = useMe()
  const says = error instanceof ApiError && (error.status === 0 || (error.message && error.status !== 401))
  return (
    <>
      <Notice kind="error">
        <QuotedText {...specTexts.verifyFailed} />
        {says && <small>{explain(error)}</small>}
      </Notice>
      {me ? (
        <>
          {me.email !== null && !me.email_verified_at && (
            <ResendButton me={me}>{t.sendLinkAgain}</ResendButton>
          )}
          <ButtonLink fullWidth href="/">
            {t.backToTop}
          </ButtonLink>
        </>
      ) : (
        <ButtonLink fullWidth href="/login?next=%2Fdashboard">
          {t.logIn}
        </ButtonLink>
      )}
    </>
  )
}
