// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
)

const (
	workers        = 32
	requestTimeout = 10 * time.Second
	reportInterval = 5 * time.Minute // of a kubelet whose status does not change
)

type queue = workqueue.TypedRateLimitingInterface[string]

func newQueue() queue {
	return workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](50*time.Millisecond, 5*time.Second))
}

// drain the queue with so many workers until it is shut down; what fails is tried again.
func drain(ctx context.Context, keys queue, sync func(context.Context, string) error) {
	for range workers {
		go func() {
			for {
				key, shutdown := keys.Get()
				if shutdown {
					return
				}
				call, cancel := context.WithTimeout(ctx, requestTimeout)
				err := sync(call, key)
				cancel()
				if err != nil && !apierrors.IsNotFound(err) {
					klog.V(1).InfoS("to be repeated", "key", key, "err", err)
					keys.AddRateLimited(key)
				} else {
					keys.Forget(key)
				}
				keys.Done(key)
			}
		}()
	}
}

// kubelets does for all nodes on paper what each kubelet does for its own: registers it, renews its
// lease, reports its status, and moves the pods bound to it through their lives.
type kubelets struct {
	client   kubernetes.Interface
	fleet    fleet
	renew    time.Duration
	duration time.Duration

	nodes      corelisters.NodeLister
	pods       corelisters.PodLister
	podsByNode cache.Indexer
	nodeKeys   queue
	podKeys    queue
	reported   sync.Map // name of the node -> time.Time
	measured   *measured
}

func newNodesCommand() *cobra.Command {
	k := &kubelets{}
	k.measured = &measured{k: k, counters: map[string]*counter{}}
	var kubeconfig string
	command := &cobra.Command{
		Use:          "nodes",
		Short:        "stand for the kubelets of nodes that exist on paper",
		SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error {
			_, client, err := connect(kubeconfig)
			if err != nil {
				return err
			}
			k.client = client
			return k.run(genericapiserver.SetupSignalContext())
		},
	}
	command.Flags().StringVar(&kubeconfig, "kubeconfig", "", "whom to ask, and as whom")
	command.Flags().IntVar(&k.fleet.count, "count", 64, "number of nodes")
	command.Flags().IntVar(&k.measured.port, "kubelet-port", 0, "where each node's kubelet tells what is used; the next port is for GPUs")
	command.Flags().StringVar(&k.measured.cert, "kubelet-cert", "", "certificate of all kubelets")
	command.Flags().StringVar(&k.measured.key, "kubelet-key", "", "its key")
	command.Flags().DurationVar(&k.renew, "renew", 10*time.Second, "time between two renewals of a node's lease")
	command.Flags().DurationVar(&k.duration, "lease", 40*time.Second, "duration of a lease")
	return command
}

func (k *kubelets) run(ctx context.Context) error {
	k.fleet.kubeletPort = int32(k.measured.port)
	if err := inParallel(k.fleet.count, func(i int) error {
		_, err := k.client.CoreV1().Nodes().Create(ctx, k.fleet.node(i), metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return err
	}); err != nil {
		return fmt.Errorf("registering nodes: %w", err)
	}
	k.nodeKeys, k.podKeys = newQueue(), newQueue()
	if err := k.watch(ctx); err != nil {
		return err
	}
	if k.measured.port > 0 {
		if err := k.measured.serve(ctx); err != nil {
			return err
		}
	}
	drain(ctx, k.nodeKeys, k.syncNode)
	drain(ctx, k.podKeys, k.syncPod)
	k.renewLeases(ctx)
	k.nodeKeys.ShutDown()
	k.podKeys.ShutDown()
	return nil
}

func (k *kubelets) watch(ctx context.Context) error {
	slim := func(object any) (any, error) {
		if meta, ok := object.(metav1.Object); ok {
			meta.SetManagedFields(nil)
		}
		return object, nil
	}
	nodes := informers.NewSharedInformerFactoryWithOptions(k.client, 0, informers.WithTransform(slim))
	bound := informers.NewSharedInformerFactoryWithOptions(k.client, 0, informers.WithTransform(slim),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.FieldSelector = "spec.nodeName!=" }))
	k.nodes = nodes.Core().V1().Nodes().Lister()
	k.pods = bound.Core().V1().Pods().Lister()
	nodeInformer, podInformer := nodes.Core().V1().Nodes().Informer(), bound.Core().V1().Pods().Informer()
	k.podsByNode = podInformer.GetIndexer()
	err := errors.Join(
		podInformer.AddIndexers(cache.Indexers{"node": func(object any) ([]string, error) {
			return []string{object.(*corev1.Pod).Spec.NodeName}, nil
		}}),
		enqueueInto(nodeInformer, k.nodeKeys),
		enqueueInto(podInformer, k.podKeys))
	if err != nil {
		return err
	}
	nodes.Start(ctx.Done())
	bound.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), nodeInformer.HasSynced, podInformer.HasSynced) {
		return ctx.Err()
	}
	return nil
}

func enqueueInto(informer cache.SharedIndexInformer, keys queue) error {
	add := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			keys.Add(key)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, object any) { add(object) }, DeleteFunc: add,
	})
	return err
}

func isSilent(node *corev1.Node) bool { return node.Annotations[nodeSilent] != "" }

// syncNode reports the node's status where it is not what it should be, or is due.
func (k *kubelets) syncNode(ctx context.Context, name string) error {
	node, err := k.nodes.Get(name)
	if err != nil || !k.fleet.has(name) || isSilent(node) {
		return nil // a node that was deleted stays so
	}
	now := metav1.Now()
	allocatable := allocatableOf(node)
	conditions := nodeConditions(node.Annotations[nodeNotReady], node.Status.Conditions, now)
	last, ok := k.reported.Load(name)
	due := ok && now.Sub(last.(time.Time)) > reportInterval
	if !ok {
		k.reported.Store(name, now.Add(-reportInterval/2))
	}
	if !due && equality.Semantic.DeepEqual(allocatable, node.Status.Allocatable) &&
		sameConditions(conditions, node.Status.Conditions) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"allocatable": allocatable, "conditions": conditions}})
	if err != nil {
		return err
	}
	if _, err = k.client.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
		return err
	}
	k.reported.Store(name, now.Time)
	// What its pods waited for may have been this node.
	pods, _ := k.podsByNode.ByIndex("node", name)
	for _, pod := range pods {
		if key, err := cache.MetaNamespaceKeyFunc(pod); err == nil {
			k.podKeys.Add(key)
		}
	}
	return nil
}

func allocatableOf(node *corev1.Node) corev1.ResourceList {
	allocatable := node.Status.Capacity.DeepCopy()
	if bad, err := strconv.Atoi(node.Annotations[nodeUnhealthyGPUs]); err == nil {
		allocatable[gpuResource] = *resource.NewQuantity(int64(max(gpusPerNode-bad, 0)), resource.DecimalSI)
	}
	return allocatable
}

func sameConditions(want, have []corev1.NodeCondition) bool {
	for _, w := range want {
		same := false
		for _, h := range have {
			same = same || h.Type == w.Type && h.Status == w.Status && h.Reason == w.Reason && h.Message == w.Message
		}
		if !same {
			return false
		}
	}
	return true
}

// renewLeases, one node after the other, so that the load is even. A request that hangs holds up one
// of a few; when all hang, the leases run out, as they would when kubelets cannot reach the server.
func (k *kubelets) renewLeases(ctx context.Context) {
	free := make(chan struct{}, workers)
	ticker := time.NewTicker(k.renew / time.Duration(k.fleet.count))
	defer ticker.Stop()
	for i := 0; ; i = (i + 1) % k.fleet.count {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		node, err := k.nodes.Get(k.fleet.name(i))
		if err != nil || isSilent(node) {
			continue
		}
		if last, ok := k.reported.Load(node.Name); ok && time.Since(last.(time.Time)) > reportInterval {
			k.nodeKeys.Add(node.Name)
		}
		select {
		case <-ctx.Done():
			return
		case free <- struct{}{}:
		}
		go func() {
			defer func() { <-free }()
			call, cancel := context.WithTimeout(ctx, requestTimeout)
			defer cancel()
			if err := k.renewLease(call, node); err != nil {
				klog.V(1).InfoS("lease not renewed", "node", node.Name, "err", err)
			}
		}()
	}
}

func (k *kubelets) renewLease(ctx context.Context, node *corev1.Node) error {
	leases := k.client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	now := metav1.NowMicro()
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"renewTime": now}})
	if err != nil {
		return err
	}
	_, err = leases.Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	_, err = leases.Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Name: node.Name,
			OwnerReferences: []metav1.OwnerReference{
				{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID},
			},
		},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity:       &node.Name,
			LeaseDurationSeconds: ptr.To(int32(k.duration.Seconds())),
			RenewTime:            &now,
		},
	}, metav1.CreateOptions{})
	return err
}

// inParallel calls work(0)...work(n-1), a few at a time, and returns what failed.
func inParallel(n int, work func(int) error) error {
	free := make(chan struct{}, workers)
	failed := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			failed[i] = work(i)
		})
	}
	all.Wait()
	return errors.Join(failed...)
}
