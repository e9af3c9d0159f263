/**
 * The expected response status of each endpoint for each role, as a table in plain text. The column `about`
 * names the thing that the request is about; tests/permissions.test.ts creates this thing. The thing belongs
 * to the `owner`, who for example wrote the post, is the person, or is the guardian of the child, unless only
 * admins have such things. The `visitor` is not logged in; all other roles are members. The `insider` follows
 * the owner, has a private chat with the owner, and is in the same group. The `stranger` and the `admin`
 * have nothing to do with the owner. In the column `nothing`, the admin sends an id that does not exist.
 */
export const endpointTable = `
call                                   about          visitor  stranger insider  owner    admin    nothing
realtime.authorise                 -              401      200      200      200      200      -
realtime.authoriseByLaravelName        -              401      200      200      200      200      -
realtime.authoriseUser                 -              401      200      200      200      200      -
people.token                           -              204      204      204      204      204      -
setup.state                            -              200      200      200      200      200      -
registration.state                     -              200      200      200      200      200      -
invitations.check                      -              422      422      422      422      422      -
invitations.list                       -              401      403      403      403      200      -
invitations.create                     -              401      403      403      403      201      -
invitations.end                        invitation     401      403      403      403      200      404
invitations.members                    invitation     401      403      403      403      200      404
ownInvitations.list                    -              401      200      200      200      200      -
ownInvitations.create                  -              401      403      403      403      403      -
ownInvitations.end                     own-invitation 401      404      404      200      404      404
joinRequests.create                    -              403      403      403      403      403      -
joinRequests.state                     -              422      422      422      422      422      -
joinRequests.verify                    -              422      422      422      422      422      -
communityPicture.save                  -              401      403      403      403      200      -
communityPicture.remove                -              401      403      403      403      200      -
joinDecisions.list                     -              401      403      403      403      200      -
joinDecisions.approve                  join-request   401      403      403      403      200      404
joinDecisions.refuse                   join-request   401      403      403      403      204      404
registration.register                  -              200      200      200      200      200      -
people.logOut                          -              401      204      204      204      204      -
people.me                              -              401      200      200      200      200      -
people.verify                          link           200      200      200      200      200      403
people.disownEmail                     link           403      403      403      403      403      403
people.sendVerification                -              401      200      200      200      200      -
people.profile                         -              401      200      200      200      200      -
people.saveProfile                     -              401      200      200      200      200      -
people.saveProfileImage                -              401      200      200      200      200      -
people.users                           -              401      200      200      200      200      -
people.followings                      -              401      200      200      200      200      -
people.followedUsers                   -              401      200      200      200      200      -
people.followers                       person         401      200      200      200      200      404
people.following                       person         401      200      200      200      200      404
people.follow                          person         401      200      200      422      200      404
people.unfollow                        person         401      200      200      200      200      200
blocks.list                            -              401      200      200      200      200      -
blocks.block                           person         401      200      200      422      200      404
blocks.unblock                         person         401      200      200      200      200      200
mutes.list                             -              401      200      200      200      200      -
mutes.mute                             person         401      200      200      422      200      404
mutes.unmute                           person         401      200      200      200      200      200
handles.find                           -              401      200      200      200      200      -
newMembers.know                        person         401      403      403      403      200      404
account.logIn                          -              204      204      204      204      204      -
account.forgotPassword                 -              200      200      200      200      200      -
account.resetPassword                  -              422      422      422      422      422      -
account.confirm                        -              401      204      204      204      204      -
account.changePassword                 -              401      200      200      200      200      -
account.pendingEmail                   -              401      200      200      200      200      -
account.changeEmail                    -              401      200      200      200      200      -
account.cancelEmailChange              -              401      204      204      204      204      -
account.verifyEmailChange              -              403      403      403      403      403      -
account.undoEmailChange                -              403      403      403      403      403      -
account.sessions                       -              401      200      200      200      200      -
account.endSession                     session        401      404      404      204      404      404
account.endOtherSessions               -              401      200      200      200      200      -
account.recoveryCodes                  -              401      200      200      200      200      -
account.createRecoveryCodes            -              401      200      200      200      200      -
account.securityEvents                 -              401      200      200      200      200      -
secondStep.challenge                   -              422      422      422      422      422      -
secondStep.state                       -              401      200      200      200      200      -
secondStep.start                       -              401      200      200      200      200      -
secondStep.confirm                     -              401      422      422      422      422      -
secondStep.remove                      -              401      204      204      204      204      -
passkeys.list                          -              401      200      200      200      200      -
passkeys.registrationOptions           -              401      200      200      200      200      -
passkeys.register                      -              401      422      422      422      422      -
passkeys.rename                        passkey        401      404      404      200      404      404
passkeys.remove                        passkey        401      404      404      204      404      404
passkeys.logInOptions                  -              200      200      200      200      200      -
passkeys.logIn                         -              422      422      422      422      422      -
passkeys.challengeOptions               -              422      422      422      422      422      -
passkeys.challenge                      -              422      422      422      422      422      -
passkeys.confirmOptions                -              401      200      200      200      200      -
passkeys.confirm                       -              401      422      422      422      422      -
deletion.state                         -              401      200      200      200      200      -
deletion.request                       -              401      200      200      200      200      -
deletion.keep                          -              401      204      204      204      204      -
posts.list                             -              200      200      200      200      200      -
posts.following                        -              401      200      200      200      200      -
posts.create                           -              401      201      201      201      201      -
posts.show                             post           200      200      200      200      200      404
posts.remove                           post           401      403      403      200      200      404
posts.author                           person         401      200      200      200      200      404
posts.byAuthor                         person         401      200      200      200      200      200
posts.firstSteps                       -              401      200      200      200      200      -
posts.audienceGroups                   -              401      200      200      200      200      -
posts.likers                           post           401      200      200      200      200      404
posts.toggleLike                       post           401      200      200      200      200      404
posts.like                             post           401      200      200      200      200      404
posts.unlike                           post           401      200      200      200      200      404
postEdits.edit                         post           401      403      403      200      403      404
postEdits.versions                     post           200      200      200      200      200      404
bookmarks.list                         -              401      200      200      200      200      -
bookmarks.add                          post           401      200      200      200      200      404
bookmarks.remove                       post           401      200      200      200      200      200
pins.list                              -              200      200      200      200      200      -
pins.pin                               post           401      403      403      403      200      404
pins.unpin                             post           401      403      403      403      200      404
tags.posts                             -              200      200      200      200      200      -
replies.list                           post           200      200      200      200      200      404
latestReplies.list                     -              200      200      200      200      200      -
replies.create                         post           401      201      201      201      201      404
replies.edit                           reply          401      403      403      200      403      404
replies.remove                         reply          401      403      403      200      200      404
replies.likers                         reply          401      200      200      200      200      404
replies.like                           reply          401      200      200      200      200      404
replies.unlike                         reply          401      200      200      200      200      404
conversations.privateChats             -              401      200      200      200      200      -
conversations.privateChat              chat           401      403      200      200      403      404
conversations.readPrivate              chat           401      403      200      200      403      404
messages.privateMessages               chat           401      403      200      200      403      404
messages.sendPrivate                   chat           401      403      200      200      403      404
messages.groupMessages                 group          401      403      200      200      403      403
messages.sendGroup                     group          401      403      200      200      403      403
messages.edit                          message        401      404      404      200      404      404
messages.edit                          group-message  401      404      404      200      404      404
messages.remove                        message        401      404      404      200      404      404
messages.remove                        group-message  401      404      404      200      404      404
conversationMutes.mutePrivate          chat           401      403      200      200      403      404
conversationMutes.unmutePrivate        chat           401      403      200      200      403      404
conversationMutes.muteGroup            group          401      403      200      200      403      403
conversationMutes.unmuteGroup          group          401      403      200      200      403      403
conversationMutes.markUnread           message        401      404      200      200      404      404
conversationMutes.markUnread           group-message  401      404      200      200      404      404
readMarks.seenBy                       message        401      404      200      200      404      404
readMarks.seenBy                       group-message  401      404      200      200      404      404
readMarks.notSeenBy                    message        401      404      200      200      404      404
readMarks.notSeenBy                    group-message  401      404      200      200      404      404
readMarks.sharing                      -              401      200      200      200      200      -
readMarks.setSharing                   -              401      200      200      200      200      -
messagePins.list                       group          401      403      200      200      403      403
messagePins.pin                        message        401      404      404      404      404      404
messagePins.pin                        group-message  401      404      403      403      404      404
messagePins.unpin                      group-message  401      404      403      403      404      404
messageForwards.forward                to-group       401      404      200      200      404      404
messageForwards.forward                to-person      401      404      200      200      404      422
messageForwards.forward                to-other-group 401      404      403      403      404      404
blockedMessages.show                   group-message  401      404      200      200      404      404
conversations.unread                   -              401      200      200      200      200      -
conversations.groups                   -              401      200      200      200      200      -
conversations.groupmates               -              401      200      200      200      200      -
messages.groupChat                     group          401      403      200      200      403      403
groups.members                         group          401      403      200      200      403      403
conversations.readGroup                group          401      403      200      200      403      403
groups.leave                           group          401      403      200      200      403      403
groups.create                          -              401      403      403      403      201      -
groups.rename                          group          401      403      403      403      200      404
groups.remove                          group          401      403      403      403      200      404
groups.addUser                         group          401      403      403      403      200      404
groups.removeMember                    group          401      403      403      403      200      404
groupDescriptions.set                  group          401      403      403      403      200      404
groupOwners.set                        group-member   401      403      403      403      200      404
groupPictures.save                     group          401      403      403      403      200      404
groupPictures.remove                   group          401      403      403      403      200      404
slowMode.set                           group          401      403      403      403      200      404
deviceLinks.create                     -              401      201      201      201      201      -
deviceLinks.state                      -              401      200      200      200      200      -
deviceLinks.cancel                     -              401      204      204      204      204      -
deviceLinks.check                      -              422      422      422      422      422      -
deviceLinks.use                        -              422      422      422      422      422      -
cards.check                            -              422      422      422      422      422      -
cards.passkeyOptions                   -              422      422      422      422      422      -
cards.use                              -              422      422      422      422      422      -
memberLists.preview                    -              401      403      403      403      200      -
memberLists.create                     -              401      403      403      403      201      -
memberLists.list                       -              401      403      403      403      200      -
memberLists.members                    member-list    401      403      403      403      200      404
memberLists.renew                      member-list    401      403      403      403      201      404
memberLists.renewOne                   awaited        401      403      403      403      201      404
admin.users                            -              401      403      403      403      200      -
admin.verificationLink                 person         401      403      403      403      200      404
admin.grant                            person         401      403      403      403      200      404
admin.revoke                           person         401      403      403      403      200      404
admin.suspend                          person         401      403      403      403      200      404
admin.unsuspend                        person         401      403      403      403      200      404
admin.resetCode                        person         401      403      403      403      200      404
admin.remove                           person         401      403      403      403      200      404
admin.keep                             person         401      403      403      403      200      404
groups.all                             -              401      403      403      403      200      -
admin.removeSecondStep                 person         401      403      403      403      200      404
reactions.summaries                    -              200      200      200      200      200      -
reactions.postReactors                 post           401      200      200      200      200      404
reactions.addToPost                    post           401      200      200      200      200      404
reactions.removeFromPost               post           401      200      200      200      200      404
reactions.replyReactors                reply          401      200      200      200      200      404
reactions.addToReply                   reply          401      200      200      200      200      404
reactions.removeFromReply              reply          401      200      200      200      200      404
reactions.messageReactors              message        401      404      200      200      404      404
reactions.addToMessage                 message        401      404      200      200      404      404
reactions.removeFromMessage            message        401      404      200      200      404      404
reactions.messageReactors              group-message  401      404      200      200      404      404
reactions.addToMessage                 group-message  401      404      200      200      404      404
reactions.removeFromMessage            group-message  401      404      200      200      404      404
linkPreviews.list                      -              200      200      200      200      200      -
linkPreviews.removeFromPost            post           401      403      403      204      403      404
linkPreviews.removeFromReply           reply          401      403      403      204      403      404
linkPreviews.removeFromMessage         message        401      404      403      204      404      404
linkPreviews.removeFromMessage         group-message  401      404      403      204      404      404
mentions.candidates                    -              401      200      200      200      200      -
notifications.list                     -              401      200      200      200      200      -
notifications.unread                   -              401      200      200      200      200      -
notifications.markRead                 event          401      200      200      200      200      200
notifications.markPostRead             post-on-page   401      200      200      200      200      200
notificationSettings.get               -              401      200      200      200      200      -
notificationSettings.save              -              401      200      200      200      200      -
push.settings                          -              401      200      200      200      200      -
push.update                            -              401      200      200      200      200      -
push.subscribe                         subscription   401      201      201      201      201      201
push.unsubscribe                       device         401      404      404      204      404      404
push.test                              device         401      404      404      200      404      404
reports.create                         report         401      201      201      422      201      404
reports.mine                           -              401      200      200      200      200      -
reports.notices                        -              401      200      200      200      200      -
reports.acknowledge                    notice         401      404      404      204      404      404
deliveries.list                        -              401      200      200      200      200      -
deliveries.message                     message        401      404      200      404      404      404
deliveries.notification                notification   401      404      404      200      404      404
deliveryHealth.show                    -              401      403      403      403      200      -
digest.settings                        -              401      200      200      200      200      -
digest.save                            -              401      200      200      200      200      -
digest.unsubscribe                     -              422      422      422      422      422      -
guardians.own                          -              401      200      200      200      200      -
guardians.children                     -              401      200      200      200      200      -
guardians.requests                     -              401      200      200      200      200      -
guardians.see                          -              401      204      204      204      204      -
guardians.contacts                     child          401      404      404      200      404      404
guardians.groups                       child          401      404      404      200      404      404
guardians.notices                      child          401      404      404      200      404      404
guardians.attempts                     child          401      404      404      200      404      404
guardians.decide                       child          401      404      404      200      404      404
moderation.cases                       -              401      403      403      403      200      -
moderation.show                        case           401      403      403      403      200      404
moderation.open                        case           401      403      403      403      200      404
moderation.decide                      case           401      403      403      403      200      404
moderation.moderators                  -              401      403      403      403      200      -
moderation.appoint                     handle         401      403      403      403      200      200
moderation.removeModerator             moderator      401      403      403      403      200      404
auditLog.list                          -              401      200      200      200      200      -
retention.show                         -              401      200      200      200      200      -
retention.preview                      -              401      403      403      403      200      -
retention.lastRemovals                 -              401      403      403      403      200      -
health.testMail                        -              401      403      403      403      422      -
health.retryMails                      -              401      403      403      403      200      -
health.storage                         -              401      403      403      403      200      -
health.show                            -              401      403      403      403      200      -
admin.markChild                        child          401      403      403      403      200      404
admin.endChild                         child          401      403      403      403      200      404
admin.verifyAll                        -              401      403      403      403      200      -
admin.facts                            -              401      403      403      403      200      -
admin.settings                         -              401      403      403      403      200      -
examples.show                          -              401      403      403      403      200      -
examples.create                        -              401      403      403      403      201      -
examples.remove                        -              401      403      403      403      200      -
admin.saveSettings                     -              401      403      403      403      200      -
export.state                           -              401      200      200      200      200      -
export.storage                         -              401      200      200      200      200      -
export.request                         -              401      200      200      200      200      -
export.remove                          -              401      204      204      204      204      -
export.archive                         -              401      404      404      404      404      -
shop.product                           product        200      200      200      200      200      404
shop.add                               product        401      200      200      200      200      404
shop.change                            product        401      200      200      200      200      404
shop.remove                            product        401      200      200      200      200      404
shop.cart                              -              401      200      200      200      200      -
publicChat.send                        -              200      200      200      200      200      -
publicChat.report                      -              401      422      422      422      422      -
`
/**
 * The expected response status of `/my-broadcast-auth` for each channel and role, as a table in plain text.
 * `open` marks a public channel, to which everybody can subscribe without a signature.
 */
export const channelTable = `
channel                                about          visitor  stranger insider  owner    admin
private-chat.:smaller.:larger          chat           401      403      200      200      403
private-group-chat.:group              group          401      403      200      200      403
presence-group-chat.:group             group          401      403      200      200      403
presence-user.:user                    person         401      403      403      200      403
presence-here                          -              401      200      200      200      200
posts                                  -              open     open     open     open     open
chat                                   -              open     open     open     open     open
`

/** The roles, in the order of their columns in both tables. The column `nothing` is not a role. */
export const tableRoles = ['visitor', 'stranger', 'insider', 'owner', 'admin'] as const
export type TableRole = (typeof tableRoles)[number]

/**
 * The names of the database tables from which tests/permissions.test.ts deletes all rows before each request,
 * because the previous request may have changed them.
 */
export const emptiedTables = [
  'suspensions',
  'deletion_suspensions',
  'children',
  'account_deletions',
  'follows',
  'blocks',
  'mutes',
  'child_contacts',
  'invitations',
  'reports',
  'moderators',
]
