import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, LogOut, PencilLine, Trash2, UserMinus, UserPlus, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Listed, type Me, people, profilePath } from '#features/people/contract.ts'
import { api, apiPage } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { langOf, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { type Group, type GroupMember, groups } from '../contract.ts'
import { RenameForm } from './RenameForm.tsx'
import { chatText } from './text.ts'

type Asked = 'members' | 'add' | 'rename' | 'leave' | 'delete'

/** The menu of a group. Admins have more items than other members. */
export function GroupMenu({ group, me }: { group: Group; me: Me }) {
  const t = useText(chatText)
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <>
      <Menu
        label={t.more}
        button={(props) => <Button {...props} kind="bare" only icon={Ellipsis} label={t.more} />}
      >
        <MenuButton icon={Users} onPress={() => setAsked('members')}>
          {t.showMembers}
        </MenuButton>
        {me.is_admin && (
          <>
            <MenuButton icon={UserPlus} onPress={() => setAsked('add')}>
              {t.addPeople}
            </MenuButton>
            <MenuButton icon={PencilLine} onPress={() => setAsked('rename')}>
              {t.rename}
            </MenuButton>
          </>
        )}
        <hr />
        <MenuButton icon={LogOut} danger onPress={() => setAsked('leave')}>
          {t.leave}
        </MenuButton>
        {me.is_admin && (
          <MenuButton icon={Trash2} danger onPress={() => setAsked('delete')}>
            {t.deleteGroup}
          </MenuButton>
        )}
      </Menu>
      {asked && <AskedDialog asked={asked} group={group} me={me} close={() => setAsked(null)} />}
    </>
  )
}

type AskedDialogProps = { asked: Asked; group: Group; me: Me; close: () => void }

/** The dialog of a menu item. */
function AskedDialog({ asked, group, me, close }: AskedDialogProps) {
  const t = useText(chatText)
  const [, go] = useLocation()
  const goToList = ({ message }: { message: string }) => {
    toast(message)
    go('/my-groups')
  }
  return (
    <>
      {asked === 'members' && <Members group={group} me={me} onClose={close} />}
      {asked === 'add' && <AddPeople group={group} onClose={close} />}
      {asked === 'rename' && (
        <Dialog open title={t.renameTitle(group.name)} onClose={close}>
          <RenameForm
            className="stack"
            group={group}
            t={t}
            verb={t.save}
            onRenamed={(_, message) => toast(message)}
            onClose={close}
          />
        </Dialog>
      )}
      {asked === 'leave' && (
        <Confirm
          title={t.leaveTitle(group.name)}
          keep={t.stay}
          verb={t.leave}
          fatal
          run={() => api(groups.leave, { id: group.id })}
          onDone={goToList}
          onClose={close}
        >
          {t.leaveHelp}
        </Confirm>
      )}
      {asked === 'delete' && (
        <Confirm
          title={t.deleteGroupTitle(group.name)}
          keep={t.keep}
          verb={t.deleteGroup}
          fatal
          run={() => api(groups.remove, { id: group.id })}
          onDone={goToList}
          onClose={close}
        >
          {t.deleteGroupHelp}
        </Confirm>
      )}
    </>
  )
}

/** Milliseconds without a key press before the search begins. */
const SEARCH_DELAY = 250
const MOST_FOUND = 50

const membersKey = (group: number) => [groups.members.path, group, 'all']
function useMembers(group: number) {
  const client = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: membersKey(group),
    queryFn: ({ pageParam }) => apiPage(groups.members, { id: group }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  return {
    ...query,
    rows: query.data?.pages.flatMap((page) => page.rows),
    reload: () => client.invalidateQueries({ queryKey: membersKey(group) }),
  }
}

type MembersProps = { group: Group; me: Me; onClose: () => void }

/** The members of the group, and who added each. Admins can remove them. */
function Members({ group, me, onClose }: MembersProps) {
  const t = useText(chatText)
  const explain = useExplain()
  const { rows, error, hasNextPage, isFetchingNextPage, fetchNextPage, reload } = useMembers(group.id)
  const [asked, setAsked] = useState<GroupMember | null>(null)
  if (asked)
    return (
      <Confirm
        title={t.removeTitle(asked.name, group.name)}
        keep={t.keep}
        verb={t.removeIt}
        fatal
        run={() => api(groups.removeMember, { id: group.id, user: asked.id })}
        onDone={reload}
        onClose={() => setAsked(null)}
      >
        {t.removeHelp}
      </Confirm>
    )
  return (
    <Dialog open title={t.membersOf(group.name)} onClose={onClose} className="people-dialog">
      {error && <Notice kind="bad">{explain(error)}</Notice>}
      {!rows && !error && <RowSkeleton count={3} />}
      <ul className="rows">
        {rows?.map((member) => (
          <li className="row" key={member.id}>
            <Avatar person={member} />
            <span className="text">
              <Link className="name" href={profilePath(member)} dir="auto" lang={langOf(member.name)}>
                {member.name}
              </Link>
              {member.added_by && (
                <span className="line" dir="auto">
                  {member.added_by.id === member.id ? t.addedBySelf : t.addedBy(member.added_by.name)}
                </span>
              )}
            </span>
            {me.is_admin && member.id !== me.id && (
              <Button
                kind="bare"
                only
                icon={UserMinus}
                label={t.removeMember(member.name)}
                onClick={() => setAsked(member)}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="choose">
        {hasNextPage && (
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.more}
          </Button>
        )}
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

/** For admins: finds people by name and adds them. */
function AddPeople({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(chatText)
  const explain = useExplain()
  const [text, setText] = useState('')
  const [q, setQ] = useState('')
  const { rows: members = [], reload } = useMembers(group.id)
  const found = useQuery({
    queryKey: [people.users.path, 'to add', q],
    queryFn: () => apiPage(people.users, { q, limit: MOST_FOUND }),
  })
  useEffect(() => {
    const timer = setTimeout(setQ, SEARCH_DELAY, text.trim())
    return () => clearTimeout(timer)
  }, [text])
  return (
    <Dialog open title={t.addPeopleTo(group.name)} onClose={onClose} className="people-dialog">
      <SearchBox label={t.searchBy} text={text} onText={setText} />
      {found.error && <Notice kind="bad">{explain(found.error)}</Notice>}
      <ul className="rows">
        {found.data?.rows.map((person) => (
          <Candidate
            key={person.id}
            person={person}
            group={group.id}
            isMember={members.some(({ id }) => id === person.id)}
            onAdded={reload}
          />
        ))}
      </ul>
      {found.data?.rows.length === 0 && <p className="meta">{t.nobodyFound}</p>}
      <div className="choose">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

type CandidateProps = { person: Listed; group: number; isMember: boolean; onAdded: () => void }

function Candidate({ person, group, isMember, onAdded }: CandidateProps) {
  const t = useText(chatText)
  const explain = useExplain()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => api(groups.addUser, { id: group, user_id: person.id }),
    onSuccess: onAdded,
  })
  return (
    <li className="row">
      <Avatar person={person} />
      <span className="text">
        <Name className="name">{person.name}</Name>
        {error && <span className="line">{explain(error)}</span>}
      </span>
      {isMember || isSuccess ? (
        <span className="chip" role="status">
          {t.inIt}
        </span>
      ) : (
        <Button small pending={isPending} label={t.addWhom(person.name)} onClick={() => mutate()}>
          {t.add}
        </Button>
      )}
    </li>
  )
}
