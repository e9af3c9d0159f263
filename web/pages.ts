import type { Page } from '#core/contract.ts'
import { admin } from '#features/admin/contract.ts'
import { chat, groups } from '#features/chat/contract.ts'
import { people } from '#features/people/contract.ts'
import { firstPicture, type Post, posts } from '#features/posts/contract.ts'
import { type Product, shop } from '#features/shop/contract.ts'

const ofTop = ([top]: Post[]) => firstPicture(top)

/** Every page: its address, its view, its title, and the calls whose answers travel inside it. Both sides read this table. */
export const pages: readonly Page[] = [
  {
    path: '/',
    view: 'posts/PostListPage',
    title: { en: 'Post List', ja: 'みんなの投稿' },
    first: [posts.list, posts.firstSteps],
    picture: ofTop,
  },
  {
    path: '/postlist',
    canonical: '/',
    view: 'posts/PostListPage',
    title: { en: 'Post List', ja: 'みんなの投稿' },
    first: [posts.list, posts.firstSteps],
    picture: ofTop,
  },
  {
    path: '/followingpostlist',
    view: 'posts/FollowingPostListPage',
    title: { en: '投稿一覧', ja: '投稿一覧' },
    first: [posts.following],
    picture: ofTop,
  },
  {
    path: '/posts/:id',
    view: 'posts/PostPage',
    title: { en: 'Post', ja: '投稿' },
    first: [posts.show],
    picture: firstPicture,
    about: (post: Post) => post.body,
  },
  {
    path: '/people/:id',
    view: 'posts/ProfilePage',
    title: { en: 'Profile', ja: 'プロフィール' },
    first: [posts.author, posts.byAuthor, people.followings],
  },
  { path: '/post', view: 'posts/NewPostPage', title: { en: 'New Post', ja: '新しい投稿' } },
  { path: '/register', view: 'people/RegisterPage', title: { en: 'Sign Up', ja: '新規登録' } },
  { path: '/login', view: 'people/LogInPage', title: { en: 'Log in', ja: 'ログイン' } },
  { path: '/logout', view: 'people/LogOutPage', title: { en: 'Log out', ja: 'ログアウト' } },
  {
    path: '/email/verify/:id/:hash',
    view: 'people/VerifyEmailPage',
    title: { en: 'Verify your email address', ja: 'メールアドレスの確認' },
  },
  {
    path: '/dashboard',
    view: 'people/VerifyEmailPage',
    title: { en: 'Verify your email address', ja: 'メールアドレスの確認' },
  },
  {
    path: '/edit',
    view: 'people/EditProfilePage',
    title: { en: 'Edit Profile', ja: 'プロフィール編集' },
    first: [people.profile],
  },
  {
    path: '/follow',
    view: 'people/SearchUsersPage',
    title: { en: 'Search Users', ja: 'ユーザー検索' },
    first: [people.users, people.followings],
  },
  {
    path: '/users',
    view: 'chat/UsersPage',
    title: { en: 'Direct Message', ja: '個別チャット' },
    first: [chat.conversations, people.followedUsers],
  },
  {
    path: '/privatechat/:id',
    view: 'chat/PrivateChatPage',
    title: { en: 'Private Chat', ja: '個別チャット' },
    first: [chat.privateChat, chat.privateMessages, chat.conversations, people.followedUsers],
  },
  {
    path: '/my-groups',
    view: 'chat/MyGroupsPage',
    title: { en: 'Your Groups', ja: 'グループ' },
    first: [groups.mine],
  },
  {
    path: '/group-chat/:id',
    view: 'chat/GroupChatPage',
    title: { en: 'Group Chat', ja: 'グループチャット' },
    first: [groups.show, chat.groupMessages, groups.mine],
  },
  {
    path: '/admin/dashboard',
    view: 'admin/DashboardPage',
    title: { en: 'Admin Dashboard', ja: '管理画面' },
    first: [admin.facts, admin.groups],
  },
  {
    path: '/admin/creategroup',
    view: 'admin/CreateGroupPage',
    title: { en: 'Create Group', ja: 'グループ作成' },
    first: [people.users],
  },
  {
    path: '/admin/users',
    view: 'admin/UsersPage',
    title: { en: 'Users', ja: 'ユーザー一覧' },
    first: [admin.users, people.followings],
  },
  {
    path: '/products/:id',
    view: 'shop/ProductPage',
    title: { en: 'Product', ja: '商品' },
    first: [shop.product],
    about: ({ product }: { product: Product }, lang) => product.about[lang],
    demo: true,
  },
  {
    path: '/cart',
    view: 'shop/CartPage',
    title: { en: 'Cart', ja: 'カート' },
    first: [shop.cart],
    demo: true,
  },
  { path: '/chat', view: 'public-chat/ChatPage', title: { en: 'Chat', ja: '公開チャット' }, demo: true },
  {
    path: '/user',
    view: 'current-user/UserPage',
    title: { en: 'Current user', ja: '現在のユーザー' },
    demo: true,
  },
]
