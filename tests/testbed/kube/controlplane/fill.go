// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
)

const (
	fillNamespaces = 8
	fillBatch      = 100 // puts in one transaction; etcd takes 128
)

// filler makes many pods in little time. Through the API every pod costs some 40 ms of CPU, most of
// it in the API server and the scheduler; here the first one is made so, and copies of what became of
// it are written into etcd, from where the API server takes them as if another server had made them.
type filler struct {
	client           kubernetes.Interface
	etcd             *clientv3.Client
	fleet            fleet
	running, pending int
}

func newFillCommand() *cobra.Command {
	f := &filler{}
	var kubeconfig, endpoint string
	command := &cobra.Command{
		Use:          "fill",
		Short:        "make many pods of one GPU, in namespaces fill-1 to fill-8",
		SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error {
			_, client, err := connect(kubeconfig)
			if err != nil {
				return err
			}
			f.client = client
			f.etcd, err = clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, DialTimeout: requestTimeout})
			if err != nil {
				return err
			}
			defer f.etcd.Close()
			return f.run(context.Background())
		},
	}
	command.Flags().StringVar(&kubeconfig, "kubeconfig", "", "whom to ask, and as whom")
	command.Flags().StringVar(&endpoint, "etcd", "", "address of etcd")
	command.Flags().IntVar(&f.fleet.count, "count", 64, "number of nodes")
	command.Flags().IntVar(&f.running, "running", 0, "pods that run already, spread over the nodes")
	command.Flags().IntVar(&f.pending, "pending", 0, "pods for the scheduler")
	return command
}

func (f *filler) run(ctx context.Context) error {
	if room := f.fleet.count * gpusPerNode; f.running > room {
		return fmt.Errorf("%d pods of one GPU do not fit on %d GPUs", f.running, room)
	}
	for i := range fillNamespaces {
		_, err := f.client.CoreV1().Namespaces().Create(ctx,
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: fillNamespace(i)}}, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	model, err := f.model(ctx)
	if err != nil {
		return fmt.Errorf("the first pod: %w", err)
	}
	total := f.running + f.pending
	return inParallel((total+fillBatch-1)/fillBatch, func(batch int) error {
		var puts []clientv3.Op
		for i := batch * fillBatch; i < min((batch+1)*fillBatch, total); i++ {
			put, err := f.put(model.DeepCopy(), i)
			if err != nil {
				return err
			}
			puts = append(puts, put)
		}
		_, err := f.etcd.Txn(ctx).Then(puts...).Commit()
		return err
	})
}

func fillNamespace(i int) string { return fmt.Sprintf("fill-%d", i%fillNamespaces+1) }

// model is a pod as the API server completes it, that no scheduler touches.
func (f *filler) model(ctx context.Context) (*corev1.Pod, error) {
	pods := f.client.CoreV1().Pods(fillNamespace(0))
	share := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("10"),
		corev1.ResourceMemory: resource.MustParse("100Gi"),
		gpuResource:           resource.MustParse("1"),
	}
	pod, err := pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "model-", Labels: map[string]string{"app": "fill"}},
		Spec: corev1.PodSpec{
			SchedulerName: "none",
			Containers: []corev1.Container{{
				Name: "main", Image: "none", Resources: corev1.ResourceRequirements{Limits: share},
			}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	return pod, pods.Delete(ctx, pod.Name, metav1.DeleteOptions{})
}

// put pod number i: the first ones run, the rest waits for the scheduler.
func (f *filler) put(pod *corev1.Pod, i int) (clientv3.Op, error) {
	pod.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
	pod.Name, pod.GenerateName, pod.Namespace = fmt.Sprintf("fill-%06d", i+1), "", fillNamespace(i)
	pod.UID, pod.ResourceVersion, pod.CreationTimestamp = uuid.NewUUID(), "", metav1.NewTime(time.Now())
	pod.Spec.SchedulerName = corev1.DefaultSchedulerName
	if i < f.running {
		node := f.fleet.node(i % f.fleet.count)
		pod.Spec.NodeName = node.Name
		qos := pod.Status.QOSClass
		pod.Status = running(pod, node)
		pod.Status.QOSClass = qos
		pod.Status.Conditions = append(pod.Status.Conditions, condition(corev1.PodScheduled, corev1.ConditionTrue, ""))
	}
	var value bytes.Buffer
	if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(pod, &value); err != nil {
		return clientv3.Op{}, err
	}
	return clientv3.OpPut("/registry/pods/"+pod.Namespace+"/"+pod.Name, value.String()), nil
}
