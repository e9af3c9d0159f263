import './profile.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageCircle, UserPen } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'wouter'
import { people } from '#features/people/contract.ts'
import { FollowButton, useFollowings } from '#features/people/web/FollowButton.tsx'
import { Handle } from '#features/people/web/Handle.tsx'
import { api, apiPage } from '#web/api.ts'
import { NotFound } from '#web/ErrorPage.tsx'
import { isHttpError } from '#web/errors.ts'
import { langOf, useText } from '#web/i18n.ts'
import { withLinks } from '#web/links.tsx'
import { useMe } from '#web/me.ts'
import { NotLoaded, PleaseLogIn } from '#web/NotLoaded.tsx'
import { initialAnswer } from '#web/page-data.ts'
import { Sidebar } from '#web/Sidebar.tsx'
import { usePageTitle } from '#web/title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { PostSkeleton } from '#web/ui/Loading.tsx'
import { Name } from '#web/ui/Name.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'
import { hasPage } from '#web/views.tsx'
import { type Author, posts } from '../contract.ts'
import { Posts } from './Posts.tsx'
import { postsBy } from './post-store.ts'
import { profileText } from './profile-text.ts'
import { postsText } from './text.ts'

const PeopleDialog = lazy(() => import('#features/people/web/PeopleDialog.tsx'))

const useAuthor = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: [posts.author.path, id],
    queryFn: () => api(posts.author, { id }),
    initialData: () => initialAnswer(posts.author, { id })?.body as Author | undefined,
    retry: (count, error) => count < 2 && !isHttpError(error, 404) && !isHttpError(error, 422),
    enabled,
  })

/** The page of a member: their profile and their posts. */
export default function ProfilePage() {
  const id = Number(useParams<{ id: string }>().id)
  const me = useMe()
  const { data: author, error, isFetching, refetch } = useAuthor(id, me !== null)
  usePageTitle(author?.name ?? null)
  if (!author && (isHttpError(error, 404) || isHttpError(error, 422))) return <NotFound />
  const own = me?.id === id
  return (
    <PageLayout sidebar={me && <Sidebar />}>
      <Head author={me ? author : undefined} own={own} />
      {me && author && (
        <Posts list={postsBy(id)} ofOneAuthor me={me} empty={<NothingYet author={author} own={own} />} />
      )}
      {me && !author && !error && <PostSkeleton count={2} />}
      {(!me || isHttpError(error, 401)) && <PleaseLogIn />}
      {me && !author && error && !isHttpError(error, 401) && (
        <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
    </PageLayout>
  )
}

/** The title stays the same element while the profile is loading, so that it keeps the focus. */
function Head({ author, own }: { author: Author | undefined; own: boolean }) {
  const p = useText(profileText)
  return (
    <section className="profile" aria-label={p.profile}>
      <div className="head">
        <Avatar person={author ?? null} size="xl" />
        <div className="acts">
          {author && !own && <ProfileActions author={author} />}
          {own && (
            <ButtonLink icon={UserPen} href="/edit">
              {p.editProfile}
            </ButtonLink>
          )}
        </div>
      </div>
      <h1 tabIndex={-1}>{author ? <Name>{author.name}</Name> : p.profile}</h1>
      {author && <Handle of={author} />}
      {author && <About author={author} />}
    </section>
  )
}

function About({ author }: { author: Author }) {
  const { id, bio, posts_count, following_count, followers_count, follows_me } = author
  const t = useText(postsText)
  const p = useText(profileText)
  const [list, setList] = useState<'following' | 'followers' | null>(null)
  return (
    <>
      {bio && (
        <div className="bio body" dir="auto" lang={langOf(bio)}>
          {withLinks(bio)}
        </div>
      )}
      <p className="counts">
        <Count of={posts_count} words={p.countPosts} />
        <button type="button" className="link" onClick={() => setList('following')}>
          <Count of={following_count} words={p.countFollowing} />
        </button>
        <button type="button" className="link" onClick={() => setList('followers')}>
          <Count of={followers_count} words={p.countFollowers} />
        </button>
        {follows_me && <span className="chip">{p.followsYou}</span>}
      </p>
      {list && (
        <Suspense>
          <PeopleDialog
            title={list === 'followers' ? p.followers : t.following}
            list={`${people[list].path} ${id}`}
            page={(from) => apiPage(people[list], { id }, from)}
            onClose={() => setList(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** A member may write to the people they follow. */
function ProfileActions({ author }: { author: Author }) {
  const p = useText(profileText)
  const client = useQueryClient()
  const followings = useFollowings()
  const following = followings.data?.includes(author.id)
  if (following === undefined) return null
  return (
    <>
      {following && hasPage('/privatechat/1') && (
        <ButtonLink icon={MessageCircle} href={`/privatechat/${author.id}`}>
          {p.message}
        </ButtonLink>
      )}
      <FollowButton
        person={author}
        following={following}
        onDone={() => client.invalidateQueries({ queryKey: [posts.author.path, author.id] })}
      />
    </>
  )
}

function Count({ of, words }: { of: number; words: (n: number) => readonly [string, string] }) {
  const [before, after] = words(of)
  return (
    <span>
      {before}
      <b>{of}</b>
      {after}
    </span>
  )
}

function NothingYet({ author, own }: { author: Author; own: boolean }) {
  const t = useText(postsText)
  const p = useText(profileText)
  return (
    <Empty title={own ? p.nothingYetOwn : p.nothingYetOf(author.name)}>
      <ButtonLink kind={own ? 'primary' : 'quiet'} href={own ? '/post' : '/'}>
        {own ? t.writePost : t.allPosts}
      </ButtonLink>
    </Empty>
  )
}
